import assert from 'node:assert/strict'
import type { Desk } from './desk.ts'
import type { Person } from './people.ts'

let serial = 0

export interface AField {
  id: number
  key: string
  version: number
  options: { id: number; label: string; is_archived: number }[]
}

/** A custom field as fields/create answers it. */
export async function aField(desk: Desk, admin: Person, given: object = {}): Promise<AField> {
  const fields = { key: `field_${++serial}`, label: `Field ${serial}`, kind: 'text', ...given }
  const reply = await desk.post('/api/admin/fields/create', admin, fields)
  assert.equal(reply.status, 201, reply.body.message)
  return reply.data.field
}

/** The custom fields of a ticket, as staff see them. */
export async function fieldsOf(desk: Desk, asker: Person, id: number): Promise<Record<string, unknown>> {
  const reply = await desk.post('/api/admin/tickets/detail', asker, { id })
  assert.equal(reply.status, 200, reply.body.message)
  return reply.data.ticket.fields
}
