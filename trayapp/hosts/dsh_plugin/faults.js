// Keep what went wrong instead of letting it out.

export class Faults {
  /** The newest fault as one line, or null; /v1/host tells it. */
  last = null

  note(where, error) {
    const text = error instanceof Error ? error.message : String(error)
    this.last = `${where}: ${text}`.slice(0, 300)
  }

  /** Run `work` now; give `otherwise` back when it throws. */
  guardNow(where, work, otherwise = null) {
    try {
      return work()
    } catch (error) {
      this.note(where, error)
      return otherwise
    }
  }

  /** Run `work`, which may be asynchronous; the promise given back never rejects. */
  async guard(where, work, otherwise = null) {
    try {
      return await work()
    } catch (error) {
      this.note(where, error)
      return otherwise
    }
  }
}
