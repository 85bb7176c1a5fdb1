// Count which sessions are being looked at.
//
// The host knows how many views are open in all (`sessionController.history.closeFollowers`) but not of what. So the
// one method that opens a view is wrapped while this plugin is mounted; views that were open before stay unassigned.

export class Views {
  #controller
  #faults
  #open = new Map()
  #history = null
  #wrapper = null

  constructor(controller, faults) {
    this.#controller = controller
    this.#faults = faults
  }

  open() {
    const history = this.#controller()?.history
    const follow = history?.follow
    if (typeof follow !== 'function' || Object.hasOwn(history, 'follow')) return
    const count = (request, by) => this.#faults.guardNow('views', () => this.#count(request, by))
    this.#wrapper = async function* followCounted(request, ...rest) {
      count(request, 1)
      try {
        yield* follow.call(this, request, ...rest)
      } finally {
        count(request, -1)
      }
    }
    history.follow = this.#wrapper
    this.#history = history
  }

  close() {
    if (this.#history !== null && this.#history.follow === this.#wrapper) delete this.#history.follow
    this.#history = null
  }

  #count(request, by) {
    const address = request?.address
    const id = address?.kind === 'session' ? address.sessionId : address?.childSessionId
    if (typeof id !== 'string') return
    const open = (this.#open.get(id) ?? 0) + by
    if (open > 0) this.#open.set(id, open)
    else this.#open.delete(id)
  }

  /** Return how many views are open in all, or null when the host does not tell. */
  total() {
    const size = this.#controller()?.history?.closeFollowers?.size
    return Number.isInteger(size) ? size : null
  }

  /** Return a function that tells how many views show a session: null when one that was open before could. */
  look() {
    const total = this.total()
    const isWrapped = this.#history !== null && this.#history === this.#controller()?.history
    let known = 0
    for (const each of this.#open.values()) known += each
    const others = total === 0 || (isWrapped && total === known) ? 0 : null
    return (id) => this.#open.get(id) ?? others
  }
}
