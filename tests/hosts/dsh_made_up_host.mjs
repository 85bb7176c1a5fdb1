// Run the DSH plugin in made-up hosts, one case after the other, and print what was seen as JSON.
// node dsh_made_up_host.mjs <plugin folder> <DSH home>

import { mkdirSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { Server } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [, , folder, home] = process.argv
const load = (name) => import(pathToFileURL(join(folder, name)).href)
const { apply } = await load('index.js')
const { jsonBytes } = await load('size.js')
// Listeners that keep no process alive are in no list of Node's, so each is noted when it starts.
const listeners = []
const { listen } = Server.prototype
Server.prototype.listen = function (...given) {
  listeners.push(this)
  return listen.apply(this, given)
}
const EFFECT = Symbol.for('cordis.effect')
const unhandled = []
process.on('unhandledRejection', (error) => unhandled.push(String(error)))
process.on('uncaughtException', (error) => unhandled.push(String(error)))

/** A host with one session; `change` makes it the case at hand. */
function madeUp(change = {}) {
  const events = [{ type: 'turn/start', seq: 0, time: 1, data: {} }, { type: 'turn/end', seq: 1, time: 2, data: {} }]
  const session = { id: 's1', header: { id: 's1', cwd: '/work', createdAt: 5 }, seq: 2, firstLiveSeq: 0, eventAt: (n) => events[n] }
  const agent = { id: 's1', status: 'idle', session, phase: { kind: 'idle' }, inbox: { hasPending: false } }
  const live = new Map([['s1', agent]])
  const torn = []
  const end = async () => {
    torn.push('s1')
    live.delete('s1')
  }
  end[EFFECT] = { label: 'agentLoop.lifecycle(s1)', children: [] }
  const disposers = []
  const history = { closeFollowers: new Set(), follow: async function* () {} }
  const services = { jobs: { list: () => [] }, schedule: {}, terminals: { list: () => [] }, sessionController: { history: Object.create(history) } }
  const host = {
    agent, session, live, torn, end, services, disposers, events,
    ctx: {
      agents: { list: () => [...live.values()], get: (id) => live.get(id), withoutInitiator: (work) => work() },
      sessions: { list: () => [...live.values()].map((each) => each.session), get: (id) => live.get(id)?.session },
      registry: new Map([['loop', { fibers: [{ _disposables: [end] }] }]]),
      get: (name) => (name === 'profileContext' ? { home: host.home ?? home, name: 'web' } : host.services[name]),
      waterfall: async (_, __, last) => last(),
      effect: (execute) => disposers.push(execute()),
    },
  }
  change(host)
  return host
}

function ask(told, method, path) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${told.token}` }
    const sent = request({ host: '127.0.0.1', port: told.port, method, path, headers }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => (text += chunk))
      answer.on('end', () => resolve({ status: answer.statusCode, body: JSON.parse(text) }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

const path = join(home, 'agentring', `${process.pid}.json`)

async function mounted(host) {
  apply(host.ctx)
  for (let i = 0; i < 200 && !existsSync(path); i += 1) await new Promise((next) => setTimeout(next, 5))
  return JSON.parse(readFileSync(path, 'utf8'))
}

async function unmount(host) {
  for (const dispose of host.disposers) {
    await dispose()
    await dispose()
  }
}

/** Ask for everything, release twice, and unmount. */
async function look(change, { together = false } = {}) {
  const host = madeUp(change)
  const told = await mounted(host)
  const sessions = (await ask(told, 'GET', '/v1/sessions')).body.sessions
  const release = () => ask(told, 'POST', '/v1/sessions/s1/release')
  const answers = together ? await Promise.all([release(), release()]) : [await release(), await release()]
  const seen = {
    sessions: Object.fromEntries(sessions.map((each) => [each.id, each])),
    releases: answers.map((each) => each.body.result),
    statuses: answers.map((each) => each.status),
    torn_down: host.torn,
    host: (await ask(told, 'GET', '/v1/host')).body,
  }
  await unmount(host)
  return seen
}

const seen = {}
seen.plain = await look(() => {})
seen['at once'] = await look(() => {}, { together: true })
seen['no hook'] = await look((host) => {
  host.ctx.registry = new Map()
  host.services = {}
})
seen['activity fails'] = await look((host) => {
  host.ctx.waterfall = async () => {
    throw new Error('no answer')
  }
})
seen.upkeep = await look((host) => {
  host.agent.phase.kind = 'maintenance'
})
seen['turn begins'] = await look((host) => {
  host.ctx.waterfall = async (_, __, last) => {
    host.agent.status = 'running'
    return last()
  }
})
seen['input comes'] = await look((host) => {
  let asked = 0
  Object.defineProperty(host.agent.inbox, 'hasPending', { get: () => (asked += 1) > 1 })
})
seen.bare = await look((host) => {
  host.services = {}
  host.events.length = 0
  host.session.seq = 0
  delete host.agent.inbox
})
seen['teardown fails'] = await look((host) => {
  host.end = async () => {
    throw new Error('no way')
  }
  host.end[EFFECT] = { label: 'agentLoop.lifecycle(s1)' }
  host.ctx.registry = new Map([['loop', { fibers: [{ _disposables: [host.end] }] }]])
})

const grown = madeUp(() => {})
const grownTold = await mounted(grown)
const collect = async () => (await ask(grownTold, 'POST', '/v1/collect')).body.result
const first = await collect()
await new Promise((next) => setTimeout(next, 50))
const { full_collections } = (await ask(grownTold, 'GET', '/v1/host')).body.heap
grown.agent.status = 'running'
seen.collect = { results: [first, await collect()], counted: full_collections > 0 }
await unmount(grown)

// A home where nothing can be written: its place is taken by a file.
const taken = join(home, 'taken')
writeFileSync(taken, '')
const homeless = madeUp((host) => {
  host.home = taken
})
let threw = false
try {
  apply(homeless.ctx)
} catch {
  threw = true
}
await new Promise((next) => setTimeout(next, 100))
const listening = () => listeners.filter((each) => each.listening).length
seen['no home'] = { file: existsSync(path), started: listeners.length, listening: listening(), threw }
await unmount(homeless)

// Files of hosts that are gone, of a pid that was given out again, of one that lives, and what is not ours.
const others = join(home, 'agentring')
mkdirSync(others, { recursive: true })
const put = (name, told) => writeFileSync(join(others, name), JSON.stringify(told))
put('4194305.json', { start: '1' })
put('1.json', { start: 'another' })
put(`${process.ppid}.json`, {})
put('notes.txt', {})
const tidy = madeUp(() => {})
await mounted(tidy)
const there = (name) => readdirSync(others).includes(name)
const linux = existsSync('/proc/1/stat')
seen.files = {
  dead: there('4194305.json'),
  reused: linux && there('1.json'),
  alive: there(`${process.ppid}.json`),
  foreign: there('notes.txt'),
  own: existsSync(path),
}
const wrapped = tidy.services.sessionController.history
const follow = Object.hasOwn(wrapped, 'follow')
await unmount(tidy)
seen.files.after = existsSync(path)
seen.left = { follow: follow && !Object.hasOwn(wrapped, 'follow'), listening: listening(), unhandled }

seen.sizes = Object.fromEntries(
  Object.entries({ ascii: 'x', latin: 'é', chinese: '中' }).map(([name, one]) => [name, jsonBytes({ text: one.repeat(1e6) })]),
)
console.log(JSON.stringify(seen))
process.exit(0)
