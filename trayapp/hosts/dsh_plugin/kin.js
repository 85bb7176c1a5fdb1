// Which live agents are subagents of which session, as their headers tell.

export class Kin {
  #live
  #children = new Map()

  constructor(agents) {
    this.#live = new Set(agents.map((agent) => agent.id))
    for (const agent of agents) {
      const { parentSession, origin } = agent.session.header
      // A fork names its parent too, but is a conversation of its own.
      if (origin !== 'subagent' || parentSession === undefined) continue
      const siblings = this.#children.get(parentSession)
      if (siblings === undefined) this.#children.set(parentSession, [agent])
      else siblings.push(agent)
    }
  }

  /** Return the live subagents below a session, at any depth; a chain that loops is walked once. */
  below(id) {
    const found = []
    const seen = new Set()
    const waiting = [id]
    while (waiting.length > 0) {
      const parent = waiting.pop()
      if (seen.has(parent)) continue
      seen.add(parent)
      for (const child of this.#children.get(parent) ?? []) {
        found.push(child)
        waiting.push(child.id)
      }
    }
    return found
  }

  /** Say whether an agent is the subagent of a session that is live. */
  isOwned(agent) {
    const header = agent?.session?.header
    return header?.origin === 'subagent' && this.#live.has(header.parentSession)
  }
}
