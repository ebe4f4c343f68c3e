import assert from 'node:assert/strict'
import { bootDesk, type Desk } from './desk.ts'
import { anAdmin, type Person } from './people.ts'

export const weekday = [['09:00', '17:00']]
export const berlin = {
  name: 'Berlin office',
  time_zone: 'Europe/Berlin',
  weeks: [{ valid_from: null, hours: { mon: weekday, tue: weekday } }],
  days: [{ date: '2030-12-25', name: 'Christmas Day', hours: [] }]
}
export const any = (field: string, op: string, value?: unknown) => ({
  any: [{ field, op, ...(value !== undefined && { value }) }]
})
export const target = (calendar_id: unknown) => ({
  metric: 'first_response',
  priority: 'High',
  minutes: 240,
  calendar_id
})

export interface Side {
  desk: Desk
  admin: Person
}

export async function aSide(): Promise<Side> {
  const desk = await bootDesk()
  return { desk, admin: await anAdmin(desk) }
}

export async function exportOf({ desk, admin }: Side) {
  const { status, data } = await desk.post('/api/admin/config/export', admin, {})
  assert.equal(status, 200)
  return data.config
}

export async function importTo({ desk, admin }: Side, config: object, options: object = {}) {
  const { status, data, body } = await desk.post('/api/admin/config/import', admin, { config, ...options })
  assert.equal(status, 200, body.message)
  return data
}
