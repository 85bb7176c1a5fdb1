// For live tests only: collect garbage when the test sends SIGUSR2, so that heap figures can be compared at once.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export const name = 'agentring-test-collector'

export function apply(ctx) {
  ctx.effect(() => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc')
    const handler = () => collect()
    process.on('SIGUSR2', handler)
    return () => process.off('SIGUSR2', handler)
  }, 'agentring-test-collector')
}
