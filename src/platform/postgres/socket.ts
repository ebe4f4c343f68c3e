import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedError } from './error.ts'
import type { Identity } from './process.ts'
import { changeOwner } from './user.ts'

/** A part of the socket's file name; the server listens on no TCP port. */
export const socketPort = 5432

/** The shortest limit of the supported systems (macOS); Linux allows 107 bytes. */
const longestSocketPath = 103

/**
 * The private folder of the server's socket, created if missing. It is in the data folder, or, if that path is too long for a socket, a
 * temporary folder whose name is stored in the data folder. Its name is random, since anybody may create a folder with a predictable name, and
 * it is checked before use, since others may write beside it.
 */
export async function makeSocketFolder(dataDir: string, identity: Identity): Promise<string> {
  const inside = join(dataDir, 'postgres-socket')
  if (fits(inside)) {
    await mkdir(inside, { recursive: true, mode: 0o700 })
    await chmod(inside, 0o700)
    await changeOwner(identity, inside)
    return inside
  }

  const note = noteOf(dataDir)
  const noted = await readFile(note, 'utf8').catch(() => '')
  if (noted && (await isPrivate(noted, identity.owner))) return noted
  for (const parent of [tmpdir(), '/tmp']) {
    if (!fits(join(parent, 'deskline-XXXXXX'))) continue
    const folder = await mkdtemp(join(parent, 'deskline-')).catch(() => undefined)
    if (!folder) continue
    await changeOwner(identity, folder)
    await writeFile(note, folder)
    return folder
  }
  throw new EmbeddedError(`The path ${dataDir} is too long for a database socket: set DATA_DIR to a shorter one.`)
}

/** The socket folder of an existing server, or undefined; `owner` is the user who owns the cluster. */
export async function findSocketFolder(dataDir: string, owner: number): Promise<string | undefined> {
  const inside = join(dataDir, 'postgres-socket')
  const folder = fits(inside) ? inside : await readFile(noteOf(dataDir), 'utf8').catch(() => '')
  return folder && (await isPrivate(folder, owner)) ? folder : undefined
}

/** Removes what a killed server left: a process that got its id since would keep the next one from starting. */
export async function clearSocketFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name))
}

/** Removes the folder after the server has stopped. */
export async function removeSocketFolder(dataDir: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await rm(noteOf(dataDir), { force: true })
}

function noteOf(dataDir: string): string {
  return join(dataDir, 'postgres-socket-folder')
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${socketPort}`)) <= longestSocketPath
}

/** A folder, not a link to one, that only its owner may enter. */
async function isPrivate(folder: string, owner: number): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  return found ? found.isDirectory() && found.uid === owner && (found.mode & 0o777) === 0o700 : false
}
