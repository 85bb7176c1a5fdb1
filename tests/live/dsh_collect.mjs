// For live tests only: collect garbage when the test sends SIGUSR2, and tell in a file what is left on the heap.

import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export const name = 'agentring-test-collector'

export function apply(ctx) {
  ctx.effect(() => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc')
    let rounds = 0
    const tell = async () => {
      // Finalizers of the first round free more in the next.
      for (let i = 0; i < 3; i += 1) {
        collect()
        await setTimeout(50)
      }
      rounds += 1
      const path = join(process.env.DSH_HOME, 'collected.json')
      writeFileSync(`${path}.new`, JSON.stringify({ rounds, used_bytes: getHeapStatistics().used_heap_size }))
      renameSync(`${path}.new`, path)
    }
    const handler = () => void tell()
    process.on('SIGUSR2', handler)
    return () => process.off('SIGUSR2', handler)
  }, 'agentring-test-collector')
}
