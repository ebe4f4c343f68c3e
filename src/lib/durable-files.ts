import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Creates a file with this line, for its owner only: whole and flushed, or not at all. An existing file stays as it is. */
export async function createDurably(path: string, line: string): Promise<void> {
  const temporary = await writtenBeside(path, line)
  try {
    // Unlike a rename, a link never overwrites what another process has created meanwhile.
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(temporary, { force: true })
  }
  await flushFolder(dirname(path))
}

/** Replaces a file with one that has this line, for its owner only: whole and flushed, or not at all. */
export async function replaceDurably(path: string, line: string): Promise<void> {
  const temporary = await writtenBeside(path, line)
  try {
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await flushFolder(dirname(path))
}

/** Flushes the entries of a folder, so that a power cut loses none. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function writtenBeside(path: string, line: string): Promise<string> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(`${line}\n`)
    await handle.sync()
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  return temporary
}
