// What a session's events keep on the heap, without making a copy of any of them.
//
// A running sum: each call takes up where the last one ended, since a log is only ever appended to. It counts what the
// events' JSON would take, but two bytes a character in strings that V8 keeps in two (anything beyond Latin-1), and a
// fixed amount for the agent itself.

const SLICE_MS = 8
const SHORT = 64
const SPLICE_BYTES = 400
// What an agent keeps beside its log: its scope, tools and folded state (100 to 170 kB measured on 0.2.1-rc.2).
const AGENT_BYTES = 130_000

/** Return the bytes of a string on the heap. */
function stringBytes(text) {
  const length = text.length
  // One pass in native code; the slower search below only runs over text that is not plain ASCII.
  if (length > SHORT && Buffer.byteLength(text) === length) return length
  return /[^\x00-\xff]/.test(text) ? 2 * length : length
}

/** Return about the length of the JSON of `value`; bounded in depth by an own stack. */
export function jsonBytes(value) {
  let bytes = 0
  const stack = [value]
  while (stack.length > 0) {
    const item = stack.pop()
    if (typeof item === 'string') bytes += stringBytes(item) + 3
    else if (Array.isArray(item)) {
      bytes += 2
      for (const each of item) stack.push(each)
    } else if (typeof item === 'object' && item !== null) {
      bytes += 2
      for (const key of Object.keys(item)) {
        bytes += key.length + 4
        stack.push(item[key])
      }
    } else bytes += 6
  }
  return bytes
}

/** What the walk over one session's log has found so far. */
class Sum {
  events = 0
  bytes = AGENT_BYTES
  title = null
  lastEventAt = null
  openTurn = false

  add(event, isLive) {
    // A queued message comes again as the turn's own; while it was not read back from disk, both share their strings.
    this.bytes += isLive && event.type === 'agent/inbox/spliced' ? SPLICE_BYTES : jsonBytes(event)
    if (typeof event.time === 'number') this.lastEventAt = event.time
    if (event.type === 'turn/start') this.openTurn = true
    else if (event.type === 'turn/end') this.openTurn = false
    else if (event.type === 'session/title') this.title = textOf(event.data?.title)
  }
}

function textOf(value) {
  return typeof value === 'string' && value !== '' ? value.slice(0, 300) : null
}

export class Sums {
  #sums = new WeakMap()
  #pause = 0

  /** Return a session's sum if nothing was added to its log since, else null. */
  current(session) {
    const sum = this.#sums.get(session)
    return sum?.events === session.seq ? sum : null
  }

  /**
   * Bring a session's sum up to date and return it, or null when the host does not let its events be read.
   * Gives the host's loop back every few milliseconds: the first look at a host may have gigabytes to walk.
   */
  async of(session) {
    let sum = this.#sums.get(session)
    if (sum === undefined) this.#sums.set(session, (sum = new Sum()))
    while (sum.events < session.seq) {
      const event = eventAt(session, sum.events)
      if (event === undefined) return null
      sum.add(event, sum.events >= session.firstLiveSeq)
      sum.events += 1
      if (performance.now() > this.#pause) await this.#breathe()
    }
    return sum
  }

  async #breathe() {
    await new Promise((resume) => setImmediate(resume))
    this.#pause = performance.now() + SLICE_MS
  }
}

function eventAt(session, index) {
  // eventAt is marked as on its way out, snapshotEvents copies the list of references.
  if (typeof session.eventAt === 'function') return session.eventAt(index)
  return session.snapshotEvents(index, index + 1)[0]
}
