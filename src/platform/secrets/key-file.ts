import { randomBytes } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import { createDurably, replaceDurably } from '../../lib/durable-files.ts'

/** The key file cannot be used. The message is one sentence for the operator. */
export class KeyFileFault extends Error {}

/**
 * The application secret in the file at `path`, which is created (0600, flushed, all or nothing) if missing. Concurrent processes agree on one
 * secret. Throws `KeyFileFault`.
 */
export async function keyFileSecret(path: string): Promise<string> {
  return (await readKeyFile(path)) ?? (await make(path))
}

/** The secret in the file, undefined if there is no file. Throws `KeyFileFault`. */
export async function readKeyFile(path: string): Promise<string | undefined> {
  let content: string
  try {
    content = await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new KeyFileFault(`The key file ${path} cannot be read (${codeOf(error)}): correct its owner and permissions.`)
  }
  const secret = content.trim()
  if (/^[\x21-\x7e]{32,1024}$/.test(secret)) return secret
  throw new KeyFileFault(
    `The key file ${path} is damaged: it must hold one line of 32 characters or more; restore it from a backup.`
  )
}

/** Writes this secret into the file, replacing any other. Throws `KeyFileFault`. */
export async function replaceKeyFile(path: string, secret: string): Promise<void> {
  try {
    await replaceDurably(path, secret)
  } catch (error) {
    throw cannotBeMade(path, error)
  }
}

/** The permissions of others than the owner on the key file, as octal digits; undefined for none, or if there is no file. */
export async function keyFilePermissions(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined)
  const mode = (found?.mode ?? 0) & 0o777
  return mode & 0o077 ? mode.toString(8).padStart(4, '0') : undefined
}

async function make(path: string): Promise<string> {
  try {
    await createDurably(path, randomBytes(48).toString('base64url'))
  } catch (error) {
    throw cannotBeMade(path, error)
  }
  return (await readKeyFile(path))!
}

function cannotBeMade(path: string, error: unknown): KeyFileFault {
  return new KeyFileFault(`The key file ${path} cannot be made (${codeOf(error)}): DATA_DIR must be a writable folder.`)
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error)
}
