import assert from 'node:assert/strict'
import type { StoreReport } from '../../src/outward/erasure/stores.ts'
import { zebedeeDetails } from './client-with-all-data.ts'
import type { Desk } from './desk.ts'
import type { Person } from './people.ts'
import { storedText } from './stored-text.ts'

/** Erases a client as this admin, and returns the reply. */
export async function erase(desk: Desk, admin: Person, { id, email }: Person, mode: string, given: object = {}) {
  return await desk.post('/api/admin/clients/delete', admin, { id, mode, confirm_email: email, ...given })
}

/** Fails if the database still has anything about this client, who had this address. */
export async function nothingStoredAbout(desk: Desk, email: string): Promise<void> {
  const all = await storedText(desk)
  for (const text of [email, ...Object.values(zebedeeDetails), zebedeeDetails.phone_number.slice(1)]) {
    const at = all.indexOf(text.toLowerCase())
    assert.ok(at < 0, `${text} is still there: ${all.slice(at - 100, at + 100)}`)
  }
}

/** The counts of all stores that had any. */
export function storeCounts(stores: StoreReport[], column: 'removed' | 'anonymized' | 'kept'): Record<string, number> {
  return Object.fromEntries(stores.filter(each => each[column] > 0).map(each => [each.store, each[column]]))
}
