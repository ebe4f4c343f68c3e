import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { EmbeddedError, folderFailure } from './error.ts'
import { isAlive } from './process.ts'

/** The lock on a data folder; it ends with `release`, or with this process, however that dies. */
interface DataLock {
  release(): Promise<void>
}

const sqliteBusy = 5

/**
 * Takes the lock of a data folder, or throws an EmbeddedError that names the process that has it. It is a kernel lock on `serve.lock`. Stored
 * process ids can be stale or reused, and two containers on one volume do not see each other's processes; a kernel lock has none of these
 * problems: of two starters one gets it, and it ends with its process, even after a kill -9. Node has no file locks, but its SQLite takes one
 * for a write transaction, which is begun here and never written. `BEGIN IMMEDIATE`, because unlike EXCLUSIVE it cannot make two starters refuse
 * each other. Nothing else may open the file: closing it would drop the lock.
 */
export async function takeLock(dataDir: string): Promise<DataLock> {
  const pidFile = join(dataDir, 'serve.pid')
  let database = openLock(dataDir)
  for (const deadline = Date.now() + 1000; !database; database = openLock(dataDir)) {
    const holder = await readHolder(pidFile)
    if (holder || Date.now() > deadline) {
      throw new EmbeddedError(
        `Another Deskline is already running on ${dataDir}${holder ? ` (process ${holder})` : ''}; ` +
          'stop it, or set DATA_DIR to another folder.'
      )
    }
    await pause(10) // the holder writes its number just after it has locked
  }

  try {
    await writeFile(pidFile, `${process.pid}\n`, { mode: 0o644 })
  } catch (error) {
    database.close()
    throw folderFailure(error, dataDir)
  }

  return {
    async release() {
      await rm(pidFile, { force: true })
      database.close()
    }
  }
}

function openLock(dataDir: string): DatabaseSync | undefined {
  const path = join(dataDir, 'serve.lock')
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path)
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE')
    return database
  } catch (error) {
    database?.close()
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined
    throw new EmbeddedError(
      `Deskline cannot lock ${path} (${(error as Error).message}): make it writable, or set DATA_DIR to a folder on a local disk.`
    )
  }
}

/** Undefined if the process with the stored id is gone, or runs in another container. */
async function readHolder(pidFile: string): Promise<number | undefined> {
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''))
  return pid > 0 && isAlive(pid) ? pid : undefined
}
