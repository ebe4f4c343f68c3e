import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { StoreReport } from '../../src/erasure/stores.ts'
import type { Desk } from './desk.ts'
import type { Person } from './people.ts'
import { storedText } from './stored-text.ts'
import { ofZebedee } from './whole-client.ts'

/** Erases a client as this admin, and answers the reply. */
export async function erase(desk: Desk, admin: Person, { id, email }: Person, mode: string, given: object = {}) {
  return await desk.post('/api/admin/clients/delete', admin, { id, mode, confirm_email: email, ...given })
}

/** Fails when anything that tells of a whole client, who had this address, is still in the database. */
export async function nothingNames(desk: Desk, email: string): Promise<void> {
  const all = await storedText(desk, 'audit_log')
  for (const text of [email, ...Object.values(ofZebedee), ofZebedee.phone_number.slice(1)]) {
    const at = all.indexOf(text.toLowerCase())
    assert.ok(at < 0, `${text} is still there: ${all.slice(at - 100, at + 100)}`)
  }
  const log = await storedText(desk, ...(await tablesBut(desk, 'audit_log')))
  const { first_name: _first, last_name: _last, ...others } = ofZebedee
  for (const text of [email, ...Object.values(others)]) assert.ok(!log.includes(text.toLowerCase()), text)
}

/** Of each store in which any were, how many. */
export function countsOf(stores: StoreReport[], column: 'removed' | 'anonymized' | 'kept'): Record<string, number> {
  return Object.fromEntries(stores.filter(each => each[column] > 0).map(each => [each.store, each[column]]))
}

async function tablesBut(desk: Desk, one: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables`.execute(desk.db)
  return rows.map(({ name }) => name).filter(name => name !== one)
}
