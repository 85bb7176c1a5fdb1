// Read a DSH host from the inside: its sessions, what each would be refused for, and the host's own way to end one.
//
// Everything beyond `agents` and `sessions` is looked for each time and may be missing: what the host does not have is
// told as null, never guessed. It must not know HTTP.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Kin } from './kin.js'
import { Lifecycles } from './lifecycles.js'
import { context } from './presence.js'
import { Sums } from './size.js'
import { Views } from './views.js'

const ORIGINAL = Symbol.for('cordis.original')
const NO_HOOK = 'the host does not show the lifecycle of its agents'
const RELEASE_MS = 45_000
// How long an unchanged session's answers may be told again: asking costs the host up to a millisecond a session.
const REMEMBERED_MS = 120_000

export class Host {
  #ctx
  #faults
  #sums = new Sums()
  #remembered = new WeakMap()
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
  describe() {
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
    const look = this.#look()
    for (const session of look.sessions.list()) {
      const told = await this.#faults.guard('session', () => this.#describe(session, look))
      if (told !== null) found.push(told)
    }
    return found
  }

  /** Get once a request what is needed for each session: every access to a service goes through the host's proxies. */
  #look() {
    const agents = original(this.#ctx.agents)
    return {
      agents,
      sessions: original(this.#ctx.sessions),
      kin: new Kin(agents.list()),
      screens: original(this.#service('terminalController')),
      shells: original(this.#service('terminals')),
      views: this.#views.look(),
      hasSchedules: this.#service('schedule') !== null,
    }
  }

  async #describe(session, look) {
    const { id, header } = session
    const agent = look.agents.get(id) ?? null
    const sum = this.#sums.current(session) ?? (await this.#sums.of(session))
    const answers = this.#recalled(session, agent) ?? (await this.#ask(session, agent))
    if (look.sessions.get(id) !== session) return null
    const state = this.#state(id, agent, answers, look)
    return {
      id,
      parent: header.parentSession ?? null,
      origin: header.origin ?? null,
      cwd: header.cwd ?? null,
      created_at_ms: header.createdAt ?? null,
      title: sum?.title ?? null,
      status: state.running ? 'running' : 'idle',
      events: session.seq,
      retained_bytes: sum?.bytes ?? 0,
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

  /** Return what the host answered a moment ago if the session has not changed since, else null. */
  #recalled(session, agent) {
    const known = this.#remembered.get(session)
    if (known === undefined || known.seq !== session.seq || known.status !== agent?.status) return null
    return performance.now() - known.at < REMEMBERED_MS ? known : null
  }

  /**
   * Ask the host what it would not archive a session for (null when it cannot be asked), and what still waits.
   * All of it but the end of a schedule shows in the session's log too, so the log says when to ask again.
   */
  async #ask(session, agent) {
    const { id, seq } = session
    const status = agent?.status
    const activity = await this.#faults.guard('activity', async () => {
      const told = await this.#ctx.waterfall('workspace/session-activity', { sessionId: id }, () => Promise.resolve([]))
      return Array.isArray(told) ? told : null
    })
    const known = this.#remembered.get(session)
    const pending = known?.seq === seq ? known.pending : this.#pending(agent)
    const answers = { seq, status, at: performance.now(), activity, jobs: this.#jobs(id), pending }
    this.#remembered.set(session, answers)
    return answers
  }

  /** Say whether a message waits in a session's inbox, or null when the host has no such thing. */
  #pending(agent) {
    const told = this.#faults.guardNow('inbox', () => agent?.inbox?.hasPending)
    return typeof told === 'boolean' ? told : null
  }

  /** Put together what goes on in a session: the host's answers, and what can be looked up at once. */
  #state(id, agent, { activity, jobs, pending }, look) {
    const items = (kind) => activity?.find((each) => each.kind === kind)?.items ?? []
    const subagents = look.kin.below(id)
    return {
      told: activity !== null,
      running: isAtWork(agent) || (activity?.some((each) => each.kind === 'turn') ?? false),
      jobs: (jobs ?? items('job')).map((job) => ({ id: job.id, label: job.label })),
      subagents,
      subagentRunning: subagents.some((child) => child.status === 'running') || items('subagent').length > 0,
      schedules: look.hasSchedules ? items('schedule').length : null,
      terminals: this.#terminals(id, agent, look),
      pending,
      views: look.views(id),
      owned: look.kin.isOwned(agent),
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

  /** Return the jobs of a session that have not ended, or null when the host has no list of jobs. */
  #jobs(id) {
    return this.#faults.guardNow('jobs', () => {
      const all = this.#service('jobs')?.list?.(id) ?? null
      return all?.filter((job) => job.owner === id && (job.status === 'running' || job.status === 'stopping')) ?? null
    })
  }

  /** Return the ids of shells that a person or the model has open, or null when the host has no such thing. */
  #terminals(id, agent, { screens, shells }) {
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

  /** Say whether any session is in a turn. */
  isAtWork() {
    return this.#ctx.agents.list().some(isAtWork)
  }

  /** Release a session after all that were asked for before; see the answers in README.md. */
  release(id) {
    const turn = this.#releases.then(() => this.#release(id))
    this.#releases = turn.catch(() => {})
    return turn
  }

  async #release(id) {
    const { agents, sessions } = this.#look()
    const agent = agents.get(id)
    const session = sessions.get(id)
    if (agent === undefined || session === undefined) {
      const gone = agent === undefined && session === undefined
      return gone ? notLive() : refused(['unsupported-host'])
    }
    const answers = await this.#ask(session, agent)
    const refusals = this.#refusals(agent, this.#state(id, agent, answers, this.#look()))
    if (refusals.length > 0) return refused(refusals)
    // Nothing may come between this last look and the teardown: it would abort a turn that has begun meanwhile.
    if (agents.get(id) !== agent) return notLive()
    if (isAtWork(agent)) return refused(['turn-running'])
    if (agent.inbox?.hasPending === true) return refused(['pending-input'])
    await inTime(this.#lifecycles.of(agent)())
    if (agents.get(id) === agent) throw new Error(`session ${id} is still live after its teardown`)
    return { result: 'released', refusals: [] }
  }
}

/** Say whether an agent is in a turn, or in upkeep such as a compaction, which it tells nobody about. */
function isAtWork(agent) {
  if (agent === null) return false
  const kind = agent.phase?.kind
  return agent.status !== 'idle' || (typeof kind === 'string' && kind !== 'idle')
}

function notLive() {
  return { result: 'not-live', refusals: [] }
}

function refused(refusals) {
  return { result: refusals[0], refusals }
}

/** Return a service without the proxy that follows who calls it: only its plain lookups are used. */
function original(service) {
  return service?.[ORIGINAL] ?? service
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
