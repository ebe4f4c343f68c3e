import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { Desk } from './desk.ts'
import { anAdmin } from './people.ts'

let serial = 0

export async function get(desk: Desk, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(desk.url + path, { headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Sends a form of the widget's frame. */
export async function send(
  desk: Desk,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {}
) {
  const body = new URLSearchParams(fields)
  const response = await fetch(desk.url + path, { method: 'POST', body, headers, redirect: 'manual' })
  return { status: response.status, text: await response.text() }
}

export async function change(desk: Desk, settings: object): Promise<void> {
  const reply = await desk.post('/api/admin/settings/update', await anAdmin(desk), settings)
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
}

export async function newSecret(desk: Desk, given: object = {}): Promise<string> {
  const reply = await desk.post('/api/admin/widget/rotate', await anAdmin(desk), given)
  assert.equal(reply.status, 200)
  return reply.data.secret
}

/** The identity of a visitor, as a site makes it. */
export function signed(secret: string, claims: object, encoding: 'base64url' | 'hex' = 'base64url'): string {
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
  return `${payload}.${createHmac('sha256', secret).update(payload).digest(encoding)}`
}

export function ticket(given: Record<string, string> = {}): Record<string, string> {
  return { department_id: '1', subject: `Silent <inverter> ${++serial}`, message: 'It hums\nno more.', ...given }
}

export async function ticketsOf(desk: Desk, email: string) {
  return await desk.db
    .selectFrom('tickets')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .where('clients.email', '=', email)
    .select(['subject', 'first_name', 'last_name'])
    .execute()
}
