import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

/** The user who runs PostgreSQL's programs. */
export interface Identity {
  /** The prefix of every command. */
  prefix: string[]
  /** The user to switch to, if not our own. */
  uid?: number
  gid?: number
  /** The owner of the cluster's files, as seen from outside of a namespace. */
  owner: number
  group: number
}

/** A PostgreSQL program that ends when this process dies. */
export interface SupervisedProcess {
  child: ChildProcess
  /** How it ended, such as "code 1" or "signal SIGKILL"; never rejects. */
  ended: Promise<string>
  hasEnded(): boolean
}

/**
 * Runs its arguments and leaves a watchdog behind, which holds the read end of a pipe from us (descriptor 3). A word on the pipe releases it;
 * the end of the pipe without a word means that we have died, and then it stops the program: fast (SIGINT), and after 8 s immediately (SIGQUIT).
 * The shell becomes the program by `exec`, so `$$` is its process from the first moment and there is no gap in which we could die and leave it
 * behind. The second pair of brackets makes the watchdog a child of init: PostgreSQL takes the end of an unknown child for a crash. The watchdog
 * ignores TERM and HUP, which systemd sends to a whole group.
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

/** Starts a program as the given user, in a session of its own: Ctrl-C at our terminal reaches only us, and we stop it in order. */
export function runSupervised(
  identity: Identity,
  command: string[],
  onLine: (line: string) => void
): SupervisedProcess {
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

/** Our variables are not passed on: PG* would change the server, and it must not get our secrets. */
export function programEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC' }
}

/** Whether the running server keeps this process alive: only while somebody waits for it. */
export function holdOpen({ child }: SupervisedProcess, isHeld: boolean): void {
  for (const handle of [child, child.stderr as Socket | null, child.stdio[3] as Socket | undefined]) {
    if (isHeld) handle?.ref()
    else handle?.unref()
  }
}

/** Fast shutdown, after 8 s an immediate one, after 16 s a kill; resolves when the process has ended. */
export async function stopSupervised(guarded: SupervisedProcess): Promise<void> {
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

/** Whether a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Sends a signal to a process that may have ended already. */
export function sendSignal(pid: number, name: NodeJS.Signals): void {
  if (isAlive(pid)) process.kill(pid, name)
}

/**
 * Whether the process is a server in this cluster's folder rather than an unrelated one that got its id. /proc decides by the folder of the
 * process, whatever the clock does; elsewhere the start time has to match the one in postmaster.pid, in seconds since 1970.
 */
export async function isServerOf(cluster: string, pid: number, startedAtSeconds: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  const folder = await folderOf(pid)
  if (folder !== undefined) return folder === cluster
  const startedSeconds = await startOf(pid)
  return startedSeconds !== undefined && Math.abs(startedSeconds - startedAtSeconds) <= 60
}

/** The ids of all PostgreSQL processes in this folder; empty without /proc. */
export async function processesOf(cluster: string): Promise<number[]> {
  const entries = await readdir('/proc').catch(() => [])
  const found: number[] = []
  for (const pid of entries.map(Number)) {
    if (pid > 0 && (await folderOf(pid)) === cluster) found.push(pid)
  }
  return found
}

/** The folder of a PostgreSQL process, '' for other or dead processes, undefined if the system cannot tell. */
async function folderOf(pid: number): Promise<string | undefined> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => undefined)
  if (name === undefined) return undefined
  if (name.trim() !== 'postgres') return ''
  // A zombie has a name and an id, but no folder any more.
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
