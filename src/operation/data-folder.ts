import { access, constants, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { reasonOf } from '../platform/db/wait-for-database.ts'

/** The data folder cannot be used. The message is one sentence for the operator. */
class DataFolderFault extends Error {}

/** Creates the data folder, for its owner only, or checks that the existing one is writable. Throws `DataFolderFault`. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  const probe = join(dataDir, `.probe-${process.pid}`)
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await writeFile(probe, '')
    await rm(probe)
  } catch (error) {
    throw unusableFolder(dataDir, error)
  }
  for (const name of ['uploads', 'outbox']) await checkFolder(join(dataDir, name))
}

/** Throws `DataFolderFault` if a missing data folder could not be created; creates nothing. */
export async function refuseUnmakeableFolder(dataDir: string): Promise<void> {
  let parent = dirname(resolve(dataDir))
  try {
    while (!(await stat(parent).catch(ignoreMissing))) parent = dirname(parent)
    // Only folders have such an entry.
    await access(`${parent}/.`, constants.W_OK)
  } catch (error) {
    throw unusableFolder(dataDir, error)
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function unusableFolder(dataDir: string, error: unknown): DataFolderFault {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  const reason = folderFaults[code] ?? `it cannot be written (${code || reasonOf(error)})`
  return new DataFolderFault(`DATA_DIR ${dataDir} cannot be used: ${reason}. Set DATA_DIR to a writable folder.`)
}

/** An unusable folder should be reported now, not to the first caller who uploads. */
async function checkFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found && !found.isDirectory()) throw new DataFolderFault(`${path} is not a folder: move it away.`)
  const isWritable = await access(path, constants.W_OK).then(
    () => true,
    () => !found
  )
  if (!isWritable)
    throw new DataFolderFault(`${path} cannot be written by this user: correct its owner and permissions.`)
}

const folderFaults: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOENT: 'it leads nowhere',
  ELOOP: 'it leads nowhere',
  ENAMETOOLONG: 'its name is too long'
}
