// Find the host's own teardown of an agent: the Cordis effect `agentLoop.lifecycle(<session id>)`.
//
// The host keeps no handle that a plugin may ask for, so the lists of live effects are read. They are an internal field:
// when they are not there or look different, nothing is found, and the host counts as unsupported.

const EFFECT = Symbol.for('cordis.effect')

export class Lifecycles {
  #ctx
  #found = new WeakMap()

  constructor(ctx) {
    this.#ctx = ctx
  }

  /** Return the function that ends `agent` by the official teardown, or null. */
  of(agent) {
    const known = this.#found.get(agent)
    if (known !== undefined) return known
    const label = `agentLoop.lifecycle(${agent.id})`
    for (const effect of this.#effects()) {
      if (effect[EFFECT]?.label !== label) continue
      this.#found.set(agent, effect)
      return effect
    }
    return null
  }

  /** Say whether effects can be read at all. */
  readable() {
    for (const effect of this.#effects()) if (typeof effect[EFFECT]?.label === 'string') return true
    return false
  }

  *#effects() {
    for (const fiber of this.#fibers()) {
      const list = fiber?._disposables
      if (typeof list?.[Symbol.iterator] !== 'function') continue
      for (const effect of list) if (typeof effect === 'function') yield effect
    }
  }

  *#fibers() {
    for (const runtime of this.#ctx.registry.values()) {
      if (typeof runtime?.fibers?.[Symbol.iterator] === 'function') yield* runtime.fibers
    }
    yield this.#ctx.root?.fiber
  }
}
