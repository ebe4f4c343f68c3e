import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { AnyDb } from './any-db.ts'

/** The database cannot be used. The message is one sentence for the operator, without the password. */
export class DatabaseFault extends Error {}

export interface WaitOptions {
  /** The name that the operator knows it by, such as `DATABASE_URL postgres://db:5432/desk`. */
  name: string
  withinMilliseconds: number
  signal?: AbortSignal
  /** Called once, with the reason, if the database does not respond at once. */
  tell?: (text: string) => void
}

const oldestVersion = 15
// Wrong user or password, no such database, no permission: waiting does not help.
const permanentErrors = /^(28...|3D000|42501)$/

/**
 * Waits until the database responds, since it may have been started together with us; returns its version, such as 16.4. Throws `DatabaseFault`,
 * at once if waiting cannot help.
 */
export async function waitForDatabase(db: AnyDb, options: WaitOptions): Promise<string> {
  const { name, withinMilliseconds, signal, tell } = options
  let isTold = false
  const deadline = Date.now() + withinMilliseconds
  for (;;) {
    try {
      return await version(db, name)
    } catch (error) {
      if (error instanceof DatabaseFault) throw error
      if (permanentErrors.test(codeOf(error))) throw new DatabaseFault(`${name} refuses us: ${reasonOf(error)}.`)
      const how = error instanceof ReadOnly ? 'cannot be used' : 'cannot be reached'
      if (Date.now() >= deadline || signal?.aborted) {
        throw new DatabaseFault(`${name} ${how}: ${reasonOf(error)}.`)
      }
      if (!isTold) tell?.(`${name} ${how} yet: ${reasonOf(error)}; trying for ${withinMilliseconds / 1000} s`)
      isTold = true
    }
    await pause(250, undefined, { signal }).catch(() => {})
  }
}

/** A `postgres://` URL for display: without password and options. */
export function displayUrl(url: string): string {
  const { protocol, username, host, pathname } = new URL(url)
  return `${protocol}//${username ? `${username}@` : ''}${host}${pathname}`
}

/** The system's error message; the failures of several addresses are joined. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message.replace(/[.\s]+$/, '') || codeOf(error) : String(error)
}

/** A standby may be promoted while we wait. */
class ReadOnly extends Error {}

async function version(db: AnyDb, name: string): Promise<string> {
  const { rows } = await sql<{ version: string; encoding: string; is_standby: boolean; is_read_only: boolean }>`
    select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only`.execute(db)
  const { version, encoding, is_standby, is_read_only } = rows[0]!
  if (Number.parseInt(version, 10) < oldestVersion) {
    throw new DatabaseFault(`${name} is PostgreSQL ${version}, and Deskline needs ${oldestVersion} or newer.`)
  }
  if (encoding !== 'UTF8') {
    throw new DatabaseFault(
      `${name} stores texts as ${encoding}, and Deskline needs UTF8: make a database with "create database … encoding 'UTF8' template template0".`
    )
  }
  if (is_standby) throw new ReadOnly('it is a standby, which takes no writes: give the address of the primary')
  if (is_read_only) throw new ReadOnly('it takes no writes (default_transaction_read_only is on)')
  return version.split(' ')[0]!
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? '')
}
