import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** `2026-11-20-082831-letter-7.x1Yz.eml`: sorted by time in a listing, the same each time for the same date and reference. */
export function outboxFileName(date: Date, reference: string, extension: string): string {
  const stamp = date.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')
  const name = reference.replace(/@.*$/, '').replace(/[^\w.-]/g, '')
  return `${stamp}-${name}.${extension}`
}

/**
 * Writes a file that only its owner reads, in a folder that only its owner opens. Under a temporary name first, so that
 * whoever reads the folder sees whole files alone, and flushed before it gets its own.
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
