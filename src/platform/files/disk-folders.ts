import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { flushFolder } from '../../lib/durable-files.ts'

/** Creates a folder and flushes all created directory entries. */
export async function makeFolder(folder: string): Promise<void> {
  const topmost = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (topmost === undefined) return
  for (let made = folder; made.length >= topmost.length; made = dirname(made)) await flushFolder(dirname(made))
}

/** A missing source is fine if an earlier attempt has renamed it. */
export async function renameOnce(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    await lstat(to).catch(() => {
      throw error
    })
  }
}

/** Symbolic links are not followed; only plain files count as content. */
export async function openPlainFile(place: string): Promise<FileHandle | undefined> {
  let handle: FileHandle
  try {
    handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO')) return undefined
    throw error
  }
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  return undefined
}

export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

export async function isThere(place: string): Promise<boolean> {
  return await lstat(place).then(
    () => true,
    error => {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false
      throw error
    }
  )
}
