import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from './open.ts'

/** The database cannot be used. The message is one sentence for the operator; it never holds a password. */
export class DatabaseFault extends Error {}

export interface ReachOptions {
  /** How the operator calls the database, as in `DATABASE_URL postgres://db:5432/desk`. */
  name: string
  withinMilliseconds: number
  signal?: AbortSignal
}

const oldestVersion = 15
// Wrong user or password, no such database, no right to enter: waiting does not help.
const hopeless = /^(28...|3D000|42501)$/

/**
 * Waits until the database answers, since it may have been started together with us; answers its version, as in 16.4. Throws
 * `DatabaseFault`, at once where waiting cannot help.
 */
export async function reachDatabase(db: Db, options: ReachOptions): Promise<string> {
  const { name, withinMilliseconds, signal } = options
  const deadline = Date.now() + withinMilliseconds
  for (;;) {
    try {
      return await version(db, name)
    } catch (error) {
      if (error instanceof DatabaseFault) throw error
      if (hopeless.test(codeOf(error))) throw new DatabaseFault(`${name} refuses us: ${reasonOf(error)}.`)
      if (Date.now() >= deadline || signal?.aborted) {
        throw new DatabaseFault(`${name} cannot be reached: ${reasonOf(error)}.`)
      }
    }
    await pause(250, undefined, { signal }).catch(() => {})
  }
}

/** A `postgres://` URL fit to be shown: without password and options. */
export function shownUrl(url: string): string {
  const { protocol, username, host, pathname } = new URL(url)
  return `${protocol}//${username ? `${username}@` : ''}${host}${pathname}`
}

/** What went wrong, in the words of the system; the failures of several addresses come as one. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message.replace(/[.\s]+$/, '') || codeOf(error) : String(error)
}

async function version(db: Db, name: string): Promise<string> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
  const [found] = rows
  if (Number.parseInt(found!.version, 10) >= oldestVersion) return found!.version.split(' ')[0]!
  throw new DatabaseFault(`${name} is PostgreSQL ${found!.version}, and Deskline needs ${oldestVersion} or newer.`)
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? '')
}
