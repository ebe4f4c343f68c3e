import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ArchiveFault, type Digests } from './archive.ts'
import { type BackUpOptions, backUp, type Original } from './back-up.ts'

/**
 * Writes an archive to the file at `path`, for its owner alone; it is there, flushed, when it is complete, and replaces what was
 * there only then. Until then it is at `path` + `.partial`. Throws `ArchiveFault` where that file cannot be written.
 */
export async function backUpToFile(original: Original, path: string, options: BackUpOptions = {}): Promise<Digests> {
  const partial = `${path}.partial`
  try {
    await rm(partial, { force: true })
    const digests = await backUp(
      original,
      createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }),
      options
    )
    await rename(partial, path)
    await flushFolder(dirname(path))
    return digests
  } catch (error) {
    await rm(partial, { force: true })
    const { code, path: place } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new ArchiveFault(`There is no room for ${path}.`, { cause: error })
    if (place !== partial) throw error
    throw new ArchiveFault(`${path} cannot be written (${code}).`, { cause: error })
  }
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
