import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The folder for messages when no server or gateway is configured. */
export function outboxFolder(dataDir: string): string {
  return join(dataDir, 'outbox')
}

/** `2026-11-20-082831-message-7.x1Yz.eml`: sorts by time, and is the same for the same date and reference. */
export function outboxFileName(date: Date, reference: string, extension: string): string {
  const name = reference.replace(/@.*$/, '').replace(/[^\w.-]/g, '')
  return `${stampOf(date)}-${name}.${extension}`
}

function stampOf(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')
}

/**
 * Writes a file that only its owner can read, in a folder that only its owner can open. It is written under a temporary name and flushed before
 * the rename, so that readers of the folder see whole files only.
 */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const temporary = join(folder, `.${randomBytes(12).toString('hex')}.part`)
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/**
 * Removes the files with these references: whole ones, or the part before the first dot, such as `message-7`. Returns how many there were; 0 if
 * there is no folder.
 */
export async function removeFromOutbox(folder: string, references: Iterable<string>): Promise<number> {
  const wanted = new Set(references)
  if (wanted.size === 0) return 0
  return await removeFiles(folder, ({ reference }) => wanted.has(reference) || wanted.has(reference.split('.')[0]!))
}

/** Removes the files of messages older than `before`. */
export async function removeOldFromOutbox(folder: string, before: Date): Promise<number> {
  const stamp = stampOf(before)
  return await removeFiles(folder, file => file.stamp < stamp)
}

async function removeFiles(
  folder: string,
  fits: (file: { stamp: string; reference: string }) => boolean
): Promise<number> {
  let removed = 0
  for (const name of await namesIn(folder)) {
    const parts = /^(\d{4}-\d\d-\d\d-\d{6})-(.+)\.(eml|txt)$/.exec(name)
    if (!parts || !fits({ stamp: parts[1]!, reference: parts[2]! })) continue
    await rm(join(folder, name), { force: true })
    removed += 1
  }
  return removed
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
