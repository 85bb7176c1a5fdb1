// Answer Agent Ring on loopback: one request a connection, with the token of the file that only this user can read.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const SCHEMA = 1
const MOST_CONNECTIONS = 16
const MOST_BODY = 4096
const REQUEST_MS = 5_000
// Releases wait for each other, and one that has to end terminals takes seconds.
const SOCKET_MS = 60_000

class Refusal extends Error {
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

export class Server {
  token = randomBytes(32).toString('hex')
  #wanted = digest(`Bearer ${this.token}`)
  #parts
  #server = null

  /** `parts` holds heap, host, faults and version. */
  constructor(parts) {
    this.#parts = parts
  }

  /** Listen on a free port of 127.0.0.1 and return it; nothing here keeps the process alive. */
  listen() {
    const { faults } = this.#parts
    const server = createServer({ maxHeaderSize: 8192, requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS })
    this.#server = server
    server.maxConnections = MOST_CONNECTIONS
    server.keepAliveTimeout = 1
    server.on('connection', (socket) => {
      socket.unref()
      socket.on('error', () => socket.destroy())
      socket.setTimeout(SOCKET_MS, () => socket.destroy())
    })
    server.on('clientError', (_, socket) => socket.destroy())
    server.on('upgrade', (_, socket) => socket.destroy())
    server.on('request', (request, response) => {
      request.on('error', () => {})
      response.on('error', () => {})
      void faults.guard('request', () => this.#handle(request, response))
    })
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host: '127.0.0.1', port: 0, backlog: MOST_CONNECTIONS }, () => {
        server.off('error', reject)
        server.on('error', (error) => faults.note('server', error))
        server.unref()
        resolve(server.address().port)
      })
    })
  }

  /** Close the port and every connection. */
  close() {
    const server = this.#server
    this.#server = null
    if (server === null) return Promise.resolve()
    return new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  }

  async #handle(request, response) {
    let status = 200
    let answer
    try {
      this.#admit(request)
      answer = await this.#answer(request)
    } catch (error) {
      status = error instanceof Refusal ? error.status : 500
      if (status === 500) this.#parts.faults.note(String(request.url).slice(0, 80), error)
      answer = { schema: SCHEMA, error: status === 500 ? this.#parts.faults.last : error.message }
    }
    if (response.destroyed) return
    const body = Buffer.from(JSON.stringify(answer))
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
      'cache-control': 'no-store',
      connection: 'close',
    })
    response.end(body)
  }

  /** Let through only what was meant for this listener and knows its token. */
  #admit(request) {
    const port = this.#server?.address()?.port
    const host = request.headers.host
    if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) throw new Refusal(403, 'foreign host')
    if (request.headers.origin !== undefined) throw new Refusal(403, 'not for browsers')
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), this.#wanted)) throw new Refusal(401, 'token')
    let size = 0
    request.on('data', (chunk) => {
      size += chunk.length
      if (size > MOST_BODY) request.destroy()
    })
  }

  async #answer(request) {
    const { heap, host, faults, version } = this.#parts
    const { pathname } = new URL(request.url, 'http://127.0.0.1')
    if (pathname === '/v1/host') {
      allow(request, 'GET')
      const told = await host.describe()
      const plugin = { schema: SCHEMA, plugin: version, pid: process.pid, node: process.version }
      return { ...plugin, ...told, heap: heap.read(), last_error: faults.last }
    }
    if (pathname === '/v1/sessions') {
      allow(request, 'GET')
      return { schema: SCHEMA, sessions: await host.sessions() }
    }
    const release = /^\/v1\/sessions\/([^/]+)\/release$/.exec(pathname)
    if (release !== null) {
      allow(request, 'POST')
      const before = performance.now()
      const { result, refusals } = await host.release(decodeId(release[1]))
      const took = Math.round(performance.now() - before)
      return { schema: SCHEMA, result, refusals, took_ms: took, heap: heap.read() }
    }
    throw new Refusal(404, 'unknown path')
  }
}

function digest(text) {
  return createHash('sha256').update(text).digest()
}

function allow(request, method) {
  if (request.method !== method) throw new Refusal(405, `only ${method}`)
}

function decodeId(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refusal(404, 'no such session')
  }
}
