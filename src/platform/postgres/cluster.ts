import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { flushFolder } from '../../lib/durable-files.ts'
import type { Binaries } from './binaries.ts'
import { diskIsFull, EmbeddedError } from './error.ts'
import type { EmbeddedLog } from './log.ts'
import type { Identity } from './process.ts'
import { isAlive, isServerOf, processesOf, runSupervised, sendSignal, stopSupervised } from './process.ts'
import { changeOwner } from './user.ts'

/** The superuser role. The application's own role, `deskline`, owns its database and may create others, and nothing else. */
export const superuser = 'postgres'

/** Throws an EmbeddedError if another major version created the cluster; returns whether there is a cluster. */
export async function checkCluster(cluster: string, binaries: Binaries): Promise<boolean> {
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (version === undefined) {
    const entries = await readdir(cluster).catch(() => [])
    if (entries.length === 0) return false
    throw new EmbeddedError(`${cluster} holds files but no database: move it away, or set DATA_DIR to another folder.`)
  }
  const major = Number.parseInt(version, 10)
  if (major === binaries.major) return true
  if (!(major > 0)) {
    throw new EmbeddedError(
      `The database in ${cluster} is damaged (PG_VERSION names no version): restore it from a backup.`
    )
  }
  throw new EmbeddedError(
    `The database in ${cluster} was made by PostgreSQL ${major}, and this Deskline brings PostgreSQL ${binaries.major}: ` +
      `write a backup with the Deskline that brought ${major} (deskline backup), ` +
      'and read it into an empty DATA_DIR with this one (deskline restore).'
  )
}

const removal = { recursive: true, force: true, maxRetries: 20, retryDelay: 20 }

/** Creates the cluster in a temporary folder and renames it when it is complete: being killed at any moment leaves no incomplete cluster. */
export async function createCluster(
  cluster: string,
  binaries: Binaries,
  identity: Identity,
  { isDurable, signal }: { isDurable: boolean; signal: AbortSignal | undefined }
): Promise<void> {
  const dataDir = join(cluster, '..')
  const unfinished = `${basename(cluster)}.new-`
  for (const name of await readdir(dataDir)) {
    // The watchdog of a killed Deskline may still be stopping its initdb, which writes into the folder.
    if (name.startsWith(unfinished)) await rm(join(dataDir, name), removal)
  }

  const folder = await mkdtemp(join(dataDir, unfinished))
  await changeOwner(identity, folder)
  const lines: string[] = []
  const words = [binaries.initdb, '-D', folder, '-U', superuser, '--auth=trust', '-E', 'UTF8', ...localeWords()]
  if (!isDurable) words.push('--no-sync')
  const initdb = runSupervised(identity, words, line => lines.push(line))
  const stop = () => void stopSupervised(initdb)
  signal?.addEventListener('abort', stop)
  const how = await initdb.ended
  signal?.removeEventListener('abort', stop)
  if (how !== 'code 0') {
    await rm(folder, removal)
    const reason = lines.find(line => line.includes('error:')) ?? lines.at(-1) ?? how
    throw /No space left/.test(reason)
      ? diskIsFull(dataDir)
      : new EmbeddedError(`The embedded database could not be created in ${cluster} (${reason.trim()}).`)
  }

  // Whoever reaches the socket may log in as anybody: access to its folder, which only the owner may enter, is the protection. `peer` would add
  // nothing for that owner, and inside a user namespace the server cannot identify the caller.
  await writeFile(join(folder, 'pg_hba.conf'), 'local all all trust\n')
  await rename(folder, cluster)
  if (isDurable) await flushFolder(dataDir)
}

/**
 * The same collation on every machine and after every system update: PostgreSQL's own C.UTF-8. The system's library still decides at places what
 * is a letter (trigrams), so its locale is C.UTF-8 too; macOS calls that UTF-8.
 */
function localeWords(): string[] {
  const builtin = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  return process.platform === 'darwin'
    ? [...builtin, '--locale=C', '--lc-ctype=UTF-8']
    : [...builtin, '--locale=C.UTF-8']
}

/** The contents of postmaster.pid: `status` is starting, stopping, ready or standby. */
interface PostmasterFile {
  pid: number
  startedAtSeconds: number
  status: string
}

/** The postmaster.pid of this cluster, whether the server still runs or not; undefined if there is none. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const lines = await readFile(join(cluster, 'postmaster.pid'), 'utf8').then(
    text => text.split('\n'),
    error => {
      if (error.code === 'ENOENT') return undefined
      throw error
    }
  )
  if (!lines?.[0]) return undefined
  return { pid: Number(lines[0]), startedAtSeconds: Number(lines[2]), status: lines[7]?.trim() ?? '' }
}

/** The postmaster.pid of a running server; undefined if there is none or it is stale. */
export async function runningServer(cluster: string): Promise<PostmasterFile | undefined> {
  const note = await readPostmasterFile(cluster)
  return note && (await isServerOf(cluster, note.pid, note.startedAtSeconds)) ? note : undefined
}

/**
 * Prepares for a new server. The caller has the folder's lock, so a server that still runs belongs to a Deskline that is gone: it is stopped,
 * and waited for up to 15 s. Children of a killed one exit by themselves unless busy: they get 3 s.
 */
export async function clearCluster(cluster: string, log: EmbeddedLog): Promise<void> {
  const note = await readPostmasterFile(cluster)
  if (!note) return

  if (await runningServer(cluster)) {
    log.warn(
      { process: note.pid },
      'A previous PostgreSQL server is still running on the data folder; waiting for it to stop'
    )
    sendSignal(note.pid, 'SIGINT')
    if (!(await soon(8000, async () => !(await runningServer(cluster))))) sendSignal(note.pid, 'SIGQUIT')
    if (!(await soon(7000, async () => !(await runningServer(cluster))))) {
      throw new EmbeddedError(`A former PostgreSQL server (process ${note.pid}) still runs on ${cluster}: stop it.`)
    }
    return
  }

  if (!(await soon(3000, async () => (await processesOf(cluster)).length === 0))) {
    const left = await processesOf(cluster)
    log.warn({ processes: left }, 'Processes of a killed PostgreSQL server are still running; ending them')
    for (const pid of left) sendSignal(pid, 'SIGKILL')
    await soon(3000, async () => (await processesOf(cluster)).length === 0)
  }
  // PostgreSQL removes a stale file itself, but mistakes an unrelated process with that id for a server. A server that has just ended may have
  // removed its file already.
  if (isAlive(note.pid)) await rm(join(cluster, 'postmaster.pid'), { force: true })
}

async function soon(milliseconds: number, isDone: () => Promise<boolean>): Promise<boolean> {
  for (const deadline = Date.now() + milliseconds; Date.now() < deadline; await pause(15)) {
    if (await isDone()) return true
  }
  return false
}
