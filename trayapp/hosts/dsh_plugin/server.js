// Answer Agent Ring on loopback: one request a connection, with the token of the file that only this user can read.
//
// A plain socket and a few lines of HTTP: node:http costs a polled host twice the time, and keeps a timer.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:net'

const SCHEMA = 1
const MOST_CONNECTIONS = 16
const MOST_HEAD = 8192
const MOST_BODY = 4096
const REQUEST_MS = 5_000
// Releases wait for each other, and one that has to end terminals takes seconds.
const ANSWER_MS = 60_000
const CLOSE_MS = 1_000
const REASONS = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  500: 'Internal Server Error',
}

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
  #sockets = new Set()

  /** `parts` holds heap, host, faults and version. */
  constructor(parts) {
    this.#parts = parts
  }

  /** Listen on a free port of 127.0.0.1 and return it; nothing here keeps the process alive. */
  listen() {
    const { faults } = this.#parts
    const server = createServer({ allowHalfOpen: true, noDelay: true })
    this.#server = server
    server.maxConnections = MOST_CONNECTIONS
    server.on('connection', (socket) => faults.guardNow('connection', () => this.#accept(socket)))
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
    for (const socket of this.#sockets) socket.destroy()
    return server === null ? Promise.resolve() : new Promise((resolve) => server.close(() => resolve()))
  }

  /** Read one request from a new connection; whoever sends too much or too slowly is cut off. */
  #accept(socket) {
    this.#sockets.add(socket)
    socket.unref()
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.setTimeout(REQUEST_MS, () => socket.destroy())
    const cutOff = setTimeout(() => socket.destroy(), REQUEST_MS)
    cutOff.unref()
    socket.on('close', () => clearTimeout(cutOff))
    socket.setEncoding('latin1')
    let head = ''
    let body = -1
    socket.on('end', () => {
      if (body < 0) socket.destroy()
    })
    socket.on('data', (chunk) => {
      if (body >= 0) {
        body += chunk.length
        if (body > MOST_BODY) socket.destroy()
        return
      }
      head += chunk
      const end = head.indexOf('\r\n\r\n')
      if (end > MOST_HEAD || (end < 0 && head.length > MOST_HEAD)) socket.destroy()
      if (end < 0 || socket.destroyed) return
      body = head.length - end - 4
      if (body > MOST_BODY) {
        socket.destroy()
        return
      }
      clearTimeout(cutOff)
      socket.setTimeout(ANSWER_MS)
      void this.#parts.faults.guard('request', () => this.#handle(head.slice(0, end), socket))
    })
  }

  async #handle(head, socket) {
    let status = 200
    let answer
    try {
      const request = parse(head)
      this.#admit(request)
      answer = await this.#answer(request)
    } catch (error) {
      status = error instanceof Refusal ? error.status : 500
      if (status === 500) this.#parts.faults.note('answer', error)
      answer = { schema: SCHEMA, error: status === 500 ? this.#parts.faults.last : error.message }
    }
    if (socket.destroyed) return
    const body = Buffer.from(JSON.stringify(answer))
    const lines = [
      `HTTP/1.1 ${status} ${REASONS[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${body.length}`,
      'Cache-Control: no-store',
      'Connection: close',
    ]
    socket.setTimeout(CLOSE_MS)
    socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]))
  }

  /** Let through only what was meant for this listener and knows its token. */
  #admit({ headers }) {
    const port = this.#server?.address()?.port
    const host = headers.get('host')
    if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) throw new Refusal(403, 'foreign host')
    if (headers.has('origin')) throw new Refusal(403, 'not for browsers')
    if (!timingSafeEqual(digest(headers.get('authorization') ?? ''), this.#wanted)) throw new Refusal(401, 'token')
  }

  async #answer({ method, path }) {
    const { heap, host, faults, version } = this.#parts
    if (path === '/v1/host') {
      allow(method, 'GET')
      const plugin = { schema: SCHEMA, plugin: version, pid: process.pid, node: process.version }
      return { ...plugin, ...host.describe(), heap: heap.read(), last_error: faults.last }
    }
    if (path === '/v1/sessions') {
      allow(method, 'GET')
      return { schema: SCHEMA, sessions: await host.sessions() }
    }
    if (path === '/v1/collect') {
      allow(method, 'POST')
      const before = performance.now()
      const result = await this.#collect()
      return { schema: SCHEMA, result, took_ms: Math.round(performance.now() - before), heap: heap.read() }
    }
    const release = /^\/v1\/sessions\/([^/]+)\/release$/.exec(path)
    if (release !== null) {
      allow(method, 'POST')
      const before = performance.now()
      const { result, refusals } = await host.release(decodeId(release[1]))
      const took = Math.round(performance.now() - before)
      return { schema: SCHEMA, result, refusals, took_ms: took, heap: heap.read() }
    }
    throw new Refusal(404, 'unknown path')
  }

  /** Collect garbage unless a session is at work, which would have to stand still for it. */
  async #collect() {
    const { heap, host, faults } = this.#parts
    if (host.isAtWork()) return 'turn-running'
    const done = await faults.guard('collect', async () => (await heap.collect(), true), false)
    return done ? 'collected' : 'unsupported-host'
  }
}

/** Read the request line and the headers; anything out of the ordinary is refused. */
function parse(head) {
  const [first, ...lines] = head.split('\r\n')
  const request = /^([A-Z]+) (\/[^\s?]*)(?:\?\S*)? HTTP\/1\.[01]$/.exec(first)
  if (request === null) throw new Refusal(400, 'not a request')
  const headers = new Map()
  for (const line of lines) {
    const header = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*?)[ \t]*$/.exec(line)
    if (header === null) throw new Refusal(400, 'not a header')
    const name = header[1].toLowerCase()
    if (headers.has(name)) throw new Refusal(400, 'a header twice')
    headers.set(name, header[2])
  }
  return { method: request[1], path: request[2], headers }
}

function digest(text) {
  return createHash('sha256').update(text).digest()
}

function allow(method, only) {
  if (method !== only) throw new Refusal(405, `only ${only}`)
}

function decodeId(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refusal(404, 'no such session')
  }
}
