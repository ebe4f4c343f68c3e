import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { lstat, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { flushFolder } from '../../lib/durable-files.ts'
import { ArchiveFault, type Digests } from './archive.ts'
import { type BackUpOptions, backUp, type Original } from './back-up.ts'

/**
 * Writes an archive to the file at `path`, readable only by its owner. It is written to a temporary file that ends in `.partial`, flushed, and
 * renamed when complete; with `force` it replaces an existing file. Throws `ArchiveFault` if that file cannot be written, or exists already.
 */
export async function backUpToFile(
  original: Original,
  path: string,
  options: BackUpOptions & { force?: boolean } = {}
): Promise<Digests> {
  const partial = `${path}.${randomBytes(4).toString('hex')}.partial`
  const refuseToReplace = async () => {
    if (options.force || !(await lstat(path).catch(() => undefined))) return
    throw new ArchiveFault(`There is a file ${path} already: name another one, or say --force to replace it.`)
  }
  await refuseToReplace()
  try {
    const digests = await backUp(
      original,
      createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }),
      options
    )
    // Another backup may have finished meanwhile.
    await refuseToReplace()
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
