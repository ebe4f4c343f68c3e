import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Identity } from './user.ts'

/** A program of PostgreSQL which dies with us. */
export interface Guarded {
  child: ChildProcess
  /** How it ended, as in "code 1" or "signal SIGKILL"; never rejects. */
  ended: Promise<string>
  hasEnded(): boolean
}

/**
 * Runs its arguments and leaves a watchdog behind, which holds the read end of a pipe from us (descriptor 3). A word on the pipe
 * releases it; the end of the pipe without a word means that we are gone, however that happened, and then it stops the program:
 * fast (SIGINT), and after 8 s at once (SIGQUIT). The shell becomes the program by `exec`, so `$$` is its process from the very
 * first moment and there is no gap in which we could die and leave it behind. The second pair of brackets gives the watchdog to
 * init: PostgreSQL takes the end of a child it does not know for a crash. TERM and HUP, as systemd sends them to a whole group,
 * leave the watchdog at its post.
 */
const guard = `
( (
  trap '' TERM INT HUP
  exec </dev/null >/dev/null 2>&1
  read -r word <&3 && exit
  kill -INT $$
  for second in 1 2 3 4 5 6 7 8; do kill -0 $$ || exit; sleep 1; done
  kill -QUIT $$
) & )
exec 3<&-
exec "$@"`

/** Starts a program as the given user, in a session of its own: a Ctrl-C on our terminal reaches us alone, and we stop in order. */
export function runGuarded(identity: Identity, command: string[], onLine: (line: string) => void): Guarded {
  const child = spawn('/bin/sh', ['-c', guard, 'deskline-postgres', ...identity.prefix, ...command], {
    cwd: '/',
    env: programEnvironment(),
    uid: identity.uid,
    gid: identity.gid,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe']
  })
  const pipe = child.stdio[3] as Socket | undefined
  pipe?.on('error', () => {}) // the watchdog may be gone before we release it
  pipe?.resume()
  const lines = child.stderr && createInterface({ input: child.stderr }).on('line', onLine)
  const read = new Promise<void>(resolve => (lines ? lines.once('close', resolve) : resolve()))

  let isOver = false
  const ended = new Promise<string>(resolve => {
    child.once('error', error => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `code ${code}`))
  }).then(async how => {
    isOver = true
    pipe?.end('released\n')
    await Promise.race([read, pause(200)]) // its last words; leftover children may hold the pipe open much longer
    return how
  })
  return { child, ended, hasEnded: () => isOver }
}

/** Nothing of ours is handed on: PG* variables would change the server, and our secrets are none of its business. */
export function programEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC' }
}

/** Whether the server's life keeps this process alive. It should not, except while somebody waits for it. */
export function holdOpen({ child }: Guarded, isHeld: boolean): void {
  for (const handle of [child, child.stderr as Socket | null, child.stdio[3] as Socket | undefined]) {
    if (isHeld) handle?.ref()
    else handle?.unref()
  }
}

/** Fast shutdown, after 8 s an immediate one, after 16 s the end; answers when the process is gone. */
export async function stopGuarded(guarded: Guarded): Promise<void> {
  holdOpen(guarded, true)
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (guarded.hasEnded()) break
    guarded.child.kill(signal)
    if (await within(guarded.ended, 8000)) break
  }
  await guarded.ended
}

async function within(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const timer = new AbortController()
  try {
    return await Promise.race([
      promise.then(() => true),
      pause(milliseconds, false, { signal: timer.signal }).catch(() => false)
    ])
  } finally {
    timer.abort()
  }
}

/** Whether a process of this number exists, whosever it is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Sends a signal to a process that may have ended by itself meanwhile. */
export function signal(pid: number, name: NodeJS.Signals): void {
  if (isAlive(pid)) process.kill(pid, name)
}

/**
 * Whether the process is a server working in this cluster's folder rather than a stranger who got its number. Where /proc tells
 * the folder of a process, that settles it, and no step of the clock can mislead us; elsewhere it is one that has the start time
 * which the server wrote down, in seconds since 1970.
 */
export async function isServerOf(cluster: string, pid: number, startedAtSeconds: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  const folder = await folderOf(pid)
  if (folder !== undefined) return folder === cluster
  const startedSeconds = await startOf(pid)
  return startedSeconds !== undefined && Math.abs(startedSeconds - startedAtSeconds) <= 60
}

/** The numbers of all PostgreSQL processes that work in this folder; none where the system has no /proc to tell. */
export async function processesOf(cluster: string): Promise<number[]> {
  const entries = await readdir('/proc').catch(() => [])
  const found: number[] = []
  for (const pid of entries.map(Number)) {
    if (pid > 0 && (await folderOf(pid)) === cluster) found.push(pid)
  }
  return found
}

/** The folder of a PostgreSQL process, '' for any other process and for a dead one, undefined where the system does not tell. */
async function folderOf(pid: number): Promise<string | undefined> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => undefined)
  if (name === undefined) return undefined
  if (name.trim() !== 'postgres') return ''
  // A zombie has a name and a number, but no folder any more.
  return await readlink(`/proc/${pid}/cwd`).catch(error => (error.code === 'ENOENT' ? '' : undefined))
}

async function startOf(pid: number): Promise<number | undefined> {
  try {
    const shown = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      env: { ...programEnvironment(), LC_ALL: 'C' }
    })
    return Date.parse(`${shown} UTC`) / 1000
  } catch {
    return undefined
  }
}
