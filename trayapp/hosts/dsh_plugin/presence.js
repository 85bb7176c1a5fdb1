// The file that tells where the listener is: <DSH home>/agentring/<pid>.json, for this user only.

import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const FOLDER = 'agentring'
const MOST_STALE = 200

/** Return what writes and removes the file of this process; nothing is touched before `write`. */
export function presence(ctx, faults) {
  const folder = join(home(ctx), FOLDER)
  const path = join(folder, `${process.pid}.json`)
  let written = null
  return {
    write({ port, token, plugin }) {
      prepare(folder)
      faults.guardNow('stale files', () => removeStale(folder))
      const told = {
        schema: 1,
        plugin,
        pid: process.pid,
        start: statOf('self')?.start ?? null,
        started_at: Math.round(performance.timeOrigin),
        port,
        token,
        profile: profile(ctx),
      }
      const fresh = join(folder, `.${process.pid}.${randomBytes(6).toString('hex')}`)
      writeFileSync(fresh, `${JSON.stringify(told)}\n`, { mode: 0o600, flag: 'wx' })
      renameSync(fresh, path)
      written = token
    },
    remove() {
      // A second mount in this process may have written its own by now.
      if (written === null || readToken(path) !== written) return
      rmSync(path, { force: true })
    },
  }
}

function home(ctx) {
  const told = context(ctx)?.home
  if (typeof told === 'string' && told !== '') return told
  return process.env.DSH_HOME || join(homedir(), '.dsh')
}

function profile(ctx) {
  const told = context(ctx)?.name
  return typeof told === 'string' ? told : null
}

/** Return what the launcher tells plugins about the profile; newer hosts only. */
export function context(ctx) {
  try {
    return ctx.get('profileContext')
  } catch {
    return undefined
  }
}

function prepare(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  if (!found.isDirectory()) throw new Error(`${folder} is not a folder`)
  if (typeof process.getuid === 'function' && found.uid !== process.getuid()) {
    throw new Error(`${folder} belongs to somebody else`)
  }
  chmodSync(folder, 0o700)
}

function readToken(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).token
  } catch {
    return null
  }
}

/** Remove what hosts that were killed left behind. */
function removeStale(folder) {
  const names = readdirSync(folder).filter((name) => /^\d+\.json$/.test(name))
  for (const name of names.slice(0, MOST_STALE)) {
    const pid = Number.parseInt(name, 10)
    if (pid === process.pid) continue
    if (isStale(join(folder, name), pid)) rmSync(join(folder, name), { force: true })
  }
}

function isStale(path, pid) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error.code === 'ESRCH'
  }
  const stat = statOf(pid)
  if (stat === null) return false
  // Ended, but not yet waited for: a container's first process may never do that.
  if (stat.state === 'Z' || stat.state === 'X') return true
  try {
    const told = JSON.parse(readFileSync(path, 'utf8')).start
    return typeof told === 'string' && told !== stat.start
  } catch {
    return false
  }
}

/** Return the state and field 22 (start, ticks since boot) of /proc/<pid>/stat, or null where there is no such thing. */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name stands in parentheses and may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0], start: fields[19] }
  } catch {
    return null
  }
}
