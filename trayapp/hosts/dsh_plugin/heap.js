// V8's own figures of this process, and how many full collections it has been through.

import { memoryUsage } from 'node:process'
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'

export class Heap {
  #collections = 0
  #closed = false
  // Only a full collection clears an object that a registry watches, so nothing has to observe collections.
  #watch = new FinalizationRegistry(() => {
    if (this.#closed) return
    this.#collections += 1
    this.#arm()
  })

  constructor() {
    this.#arm()
  }

  #arm() {
    this.#watch.register({}, null)
  }

  /** Full collections seen since the mount: two in quick succession may count as one. */
  read() {
    const heap = getHeapStatistics()
    const memory = memoryUsage()
    return {
      used_bytes: heap.used_heap_size,
      limit_bytes: heap.heap_size_limit,
      total_bytes: heap.total_heap_size,
      external_bytes: heap.external_memory,
      array_buffers_bytes: memory.arrayBuffers,
      rss_bytes: memory.rss,
      malloced_bytes: heap.malloced_memory,
      full_collections: this.#collections,
      spaces: getHeapSpaceStatistics().map((space) => ({
        name: space.space_name,
        used_bytes: space.space_used_size,
        size_bytes: space.space_size,
      })),
    }
  }

  /**
   * Have V8 collect at once, by the protocol of its inspector; the host stands still for that long.
   * Left alone, an idle host was seen to collect nothing for minutes after a release.
   */
  async collect() {
    const { Session } = await import('node:inspector/promises')
    const session = new Session()
    session.connect()
    try {
      await session.post('HeapProfiler.collectGarbage')
    } finally {
      session.disconnect()
    }
  }

  close() {
    this.#closed = true
  }
}
