// Read a DSH host from the inside: its sessions, what each would be refused for, and the host's own way to end one.
//
// Everything beyond `agents` and `sessions` is looked for each time and may be missing: what the host does not have is
// told as null, never guessed. It must not know HTTP.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Lifecycles } from './lifecycles.js'
import { context } from './presence.js'
import { Sums } from './size.js'
import { Views } from './views.js'

const NO_HOOK = 'the host does not show the lifecycle of its agents'
const RELEASE_MS = 45_000

export class Host {
  #ctx
  #faults
  #sums = new Sums()
  #lifecycles
  #views
  #version
  #releases = Promise.resolve()

  constructor(ctx, faults) {
    this.#ctx = ctx
    this.#faults = faults
    this.#lifecycles = new Lifecycles(ctx)
    this.#views = new Views(() => this.#service('sessionController'), faults)
    faults.guardNow('views', () => this.#views.open())
    this.#version = faults.guardNow('version', () => hostVersion(ctx))
  }

  close() {
    this.#views.close()
  }

  /** Tell about the host as a whole. */
  async describe() {
    const reason = this.#faults.guardNow('lifecycles', () => this.#unsupported(), NO_HOOK)
    return {
      host_version: this.#version,
      live_sessions: this.#ctx.sessions.list().length,
      attached_views: this.#views.total(),
      release_supported: reason === null,
      unsupported_reason: reason,
    }
  }

  #unsupported() {
    const agents = this.#ctx.agents.list()
    if (!this.#lifecycles.readable()) return NO_HOOK
    if (agents.length > 0 && !agents.some((agent) => this.#lifecycles.of(agent) !== null)) return NO_HOOK
    return null
  }

  /** Tell about every live session. One that ends meanwhile is left out. */
  async sessions() {
    const found = []
    for (const session of this.#ctx.sessions.list()) {
      const told = await this.#faults.guard('session', () => this.#describe(session))
      if (told !== null) found.push(told)
    }
    return found
  }

  async #describe(session) {
    const { id, header } = session
    const agent = this.#ctx.agents.get(id) ?? null
    const sum = await this.#sums.of(session)
    const state = await this.#state(id, agent, sum)
    if (this.#ctx.sessions.get(id) !== session) return null
    return {
      id,
      parent: header.parentSession ?? null,
      origin: header.origin ?? null,
      cwd: header.cwd ?? null,
      created_at_ms: header.createdAt ?? null,
      title: sum?.title ?? null,
      status: state.running ? 'running' : 'idle',
      events: session.seq,
      retained_bytes: sum?.bytes ?? null,
      last_event_at_ms: sum?.lastEventAt ?? null,
      open_turn: sum?.openTurn ?? state.running,
      jobs: state.jobs,
      subagents: state.subagents.map((child) => child.id),
      terminals: state.terminals,
      schedules: state.schedules,
      pending_input: state.pending,
      views: state.views,
      refusals: this.#refusals(agent, state),
    }
  }

  /** Ask the host what goes on in a session, by its own list for archiving and by what that list leaves out. */
  async #state(id, agent) {
    const activity = await this.#activity(id)
    const items = (kind) => activity?.find((each) => each.kind === kind)?.items ?? []
    const jobs = new Map([...this.#jobs(id), ...items('job')].map((job) => [job.id, { id: job.id, label: job.label }]))
    const subagents = this.#descendants(id)
    return {
      told: activity !== null,
      running: agent?.status === 'running' || (activity?.some((each) => each.kind === 'turn') ?? false),
      jobs: [...jobs.values()],
      subagents,
      subagentRunning: subagents.some((child) => child.status === 'running') || items('subagent').length > 0,
      schedules: this.#service('schedule') === null ? null : items('schedule').length,
      terminals: this.#terminals(id, agent),
      pending: typeof agent?.inbox?.hasPending === 'boolean' ? agent.inbox.hasPending : null,
      views: this.#views.of(id),
      owned: this.#isOwned(agent),
    }
  }

  #refusals(agent, state) {
    const found = []
    if (state.running) found.push('turn-running')
    if (state.jobs.length > 0) found.push('job-running')
    // A child that is live belongs to its parent's turn even between two of its own.
    if (state.subagentRunning || state.owned) found.push('subagent-running')
    if (state.schedules > 0) found.push('schedule-active')
    if (state.terminals?.length > 0) found.push('terminal-open')
    if (state.views > 0) found.push('view-attached')
    if (state.pending === true) found.push('pending-input')
    if (!state.told || agent === null || this.#lifecycles.of(agent) === null) found.push('unsupported-host')
    return found
  }

  /** Return the host's list of what it would not archive a session for, or null when it cannot be asked. */
  async #activity(sessionId) {
    return this.#faults.guard('activity', async () => {
      const told = await this.#ctx.waterfall('workspace/session-activity', { sessionId }, () => Promise.resolve([]))
      return Array.isArray(told) ? told : null
    })
  }

  #jobs(id) {
    return this.#faults.guardNow('jobs', () => {
      const all = this.#service('jobs')?.list?.(id) ?? []
      return all.filter((job) => job.owner === id && (job.status === 'running' || job.status === 'stopping'))
    }, [])
  }

  /** Return the live subagents below a session, at any depth. */
  #descendants(id) {
    const below = []
    const seen = new Set([id])
    const agents = this.#ctx.agents.list()
    for (let grown = true; grown; ) {
      grown = false
      for (const agent of agents) {
        const { parentSession, origin } = agent.session.header
        if (origin !== 'subagent' || seen.has(agent.id) || !seen.has(parentSession)) continue
        seen.add(agent.id)
        below.push(agent)
        grown = true
      }
    }
    return below
  }

  #isOwned(agent) {
    const header = agent?.session?.header
    return header?.origin === 'subagent' && this.#ctx.agents.get(header.parentSession) !== undefined
  }

  /** Return the ids of shells that a person or the model has open, or null when the host has no such thing. */
  #terminals(id, agent) {
    const screens = this.#service('terminalController')
    const shells = this.#service('terminals')
    if (screens === null && shells === null) return null
    return this.#faults.guardNow('terminals', () => {
      const open = (screens?.list?.(id) ?? []).filter((each) => each.state !== 'exited' && each.state !== 'failed')
      const held = agent === null ? [] : (shells?.list?.(agent) ?? [])
      return [...open.map((each) => String(each.id)), ...held.map((each) => String(each.sessionId))]
    })
  }

  #service(name) {
    try {
      return this.#ctx.get(name) ?? null
    } catch {
      return null
    }
  }

  /** Release a session after all that were asked for before; see the answers in README.md. */
  release(id) {
    const turn = this.#releases.then(() => this.#release(id))
    this.#releases = turn.catch(() => {})
    return turn
  }

  async #release(id) {
    const agent = this.#ctx.agents.get(id)
    if (agent === undefined) {
      const held = this.#ctx.sessions.get(id) !== undefined
      return held ? refused(['unsupported-host']) : { result: 'not-live', refusals: [] }
    }
    const refusals = this.#refusals(agent, await this.#state(id, agent))
    if (refusals.length > 0) return refused(refusals)
    // Nothing may come between this last look and the teardown: it would abort a turn that has begun meanwhile.
    if (this.#ctx.agents.get(id) !== agent) return { result: 'not-live', refusals: [] }
    if (agent.status !== 'idle') return refused(['turn-running'])
    if (agent.inbox?.hasPending === true) return refused(['pending-input'])
    const end = this.#lifecycles.of(agent)
    if (end === null) return refused(['unsupported-host'])
    await inTime(end())
    if (this.#ctx.agents.get(id) === agent) throw new Error(`session ${id} is still live after its teardown`)
    return { result: 'released', refusals: [] }
  }
}

function refused(refusals) {
  return { result: refusals[0], refusals }
}

/** Wait for a teardown, but not for ever: it waits for the agent to become idle. */
async function inTime(teardown) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the teardown takes over ${RELEASE_MS} ms`)), RELEASE_MS)
    timer.unref()
  })
  try {
    await Promise.race([teardown, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Return the version of the host's own package, or null: it is not told anywhere else inside. */
function hostVersion(ctx) {
  const anchors = [context(ctx)?.installAnchor, process.argv[1]].filter((each) => typeof each === 'string')
  for (const anchor of anchors) {
    try {
      const path = createRequire(anchor).resolve('@deepseek-ai/dsh/package.json')
      return String(JSON.parse(readFileSync(path, 'utf8')).version)
    } catch {
      // Not below this anchor; the package itself may be what holds it.
    }
    for (let folder = dirname(anchor); folder !== dirname(folder); folder = dirname(folder)) {
      try {
        const told = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
        if (told.name === '@deepseek-ai/dsh') return String(told.version)
      } catch {
        // No package here, look one folder up.
      }
    }
  }
  return null
}
