// Mount Agent Ring's listener into a DSH host, and take it out again without a trace.
//
// It knows when to start and stop. It must not know what is told or how: host.js reads and releases, server.js answers.
// Whatever goes wrong here ends in `faults`, never in the host: an error that leaves a plugin can end the process.

import { presence } from './presence.js'
import { Faults } from './faults.js'
import { Heap } from './heap.js'
import { Host } from './host.js'
import { Server } from './server.js'
import { VERSION } from './version.js'

export const name = 'agentring'

// Both exist in every host that has sessions. All others are asked for when needed and may be missing.
export const inject = ['agents', 'sessions']

export function apply(ctx) {
  const faults = new Faults()
  ctx.effect(() => faults.guardNow('mount', () => mount(ctx, faults), () => {}), 'agentring')
}

/** Start everything; return what stops it. Both run to their end whatever fails. */
function mount(ctx, faults) {
  const heap = new Heap()
  const host = new Host(ctx, faults)
  const server = new Server({ heap, host, faults, version: VERSION })
  const file = presence(ctx, faults)
  let stopped = false

  const start = async () => {
    const port = await server.listen()
    if (stopped) return
    try {
      file.write({ port, token: server.token, plugin: VERSION })
    } catch (error) {
      // Nobody can find a listener without its file.
      await server.close()
      throw error
    }
  }
  outside(ctx, () => void faults.guard('start', start))

  return async () => {
    stopped = true
    faults.guardNow('file', () => file.remove())
    faults.guardNow('host', () => host.close())
    faults.guardNow('heap', () => heap.close())
    await faults.guard('server', () => server.close())
  }
}

/** Run `work` so that the agent that may have mounted this does not stay reachable from what it starts. */
function outside(ctx, work) {
  let ran = false
  const once = () => {
    ran = true
    work()
  }
  try {
    ctx.agents.withoutInitiator(once)
  } catch {
    if (!ran) once()
  }
}
