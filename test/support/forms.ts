import assert from 'node:assert/strict'
import type { Desk } from './desk.ts'
import type { Person } from './people.ts'

let serial = 0

export interface AForm {
  id: number
  name: string
  version: number
  deptids: number[]
  items: { field_id: number; required: number; show_if: { field_id: number; in: number[] } | null }[]
  is_default: number
  is_archived: number
}

/** A ticket form as ticket-forms/create answers it. */
export async function aForm(desk: Desk, admin: Person, given: object = {}): Promise<AForm> {
  const reply = await desk.post('/api/admin/ticket-forms/create', admin, {
    name: `Form ${++serial}`,
    items: [],
    ...given
  })
  assert.equal(reply.status, 201, reply.body.message)
  return reply.data.form
}
