// The plugin's version, as package.json has it: read once, since a bundler or a copy may leave that file behind.

export const VERSION = '0.1.0'
