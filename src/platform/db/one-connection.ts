import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { DatabaseClient } from './database-client.ts'
import { type DatabaseOptions, types } from './open.ts'

/** A connection that supports COPY. */
export interface Connected {
  client: pg.ClientBase
}

/** One connection shared by Kysely and COPY, so that both work in the same transaction. Not for concurrent use. */
export interface OneConnection<T> extends Connected {
  db: Kysely<T>
  close(): Promise<void>
}

/** For copying a whole database: no timeouts, and text formats that do not depend on local settings. */
const session = {
  application_name: 'deskline copy',
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'iso_8601',
  extra_float_digits: '1',
  bytea_output: 'hex',
  jit: 'off',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0'
}

/** Connects. Throws the connection error; later errors fail the running statement, or the next one. */
export async function openOneConnection<T>(connection: DatabaseOptions['connection']): Promise<OneConnection<T>> {
  const where = typeof connection === 'string' ? { connectionString: connection } : connection
  const client = new DatabaseClient({ ...where, types, session, connectionTimeoutMillis: 10_000, keepAlive: true })
  client.on('error', () => {})
  await client.connect()
  const borrowed = Object.assign(client, { release() {} })
  const pool = { options: {}, connect: async () => borrowed, end: () => client.end() }
  const db = new Kysely<T>({ dialect: new PostgresDialect({ pool }) })
  // Before its first query Kysely has nothing to close.
  return { db, client, close: () => client.end() }
}

/** How many other Deskline connections use this database. */
export async function otherDesklines({ client }: Connected): Promise<number> {
  const { rows } = await client.query(`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name like 'deskline%' and pid <> pg_backend_pid()`)
  return rows[0].count
}
