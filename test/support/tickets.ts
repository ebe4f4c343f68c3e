import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { transaction } from '../../src/core/db.ts'
import type { Desk } from './desk.ts'
import type { Asker, Encoding } from './requests.ts'
import { sequencedDatabase } from './sequenced-database.ts'

/** A ticket as tickets/create answers it, opened by this client. A test sets only what it is about. */
export async function aTicket(desk: Desk, client: Asker, given: object = {}, files: File[] = []) {
  const fields = { department_id: 1, subject: 'The printer is on fire', message: 'Please hurry.', ...given }
  const reply = await desk.post('/api/tickets/create', client, form(fields, ...files))
  assert.equal(reply.status, 201, reply.body.message)
  return reply.data
}

/** A multipart body of these fields and files. */
export function form(fields: object, ...files: File[]): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, String(value))
  for (const file of files) body.append('attachments', file)
  return body
}

export function aFile(name: string, content: string | Uint8Array<ArrayBuffer> = 'content', type = ''): File {
  return new File([content], name, { type })
}

/** Every file in the uploads of this desk, including unfinished ones, except the owner's marker. */
export async function storedFiles(desk: Desk): Promise<string[]> {
  const entries = await readdir(join(desk.dataDir, 'uploads'), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter(entry => entry.isFile() && entry.name !== '.installation')
    .map(entry => join(entry.parentPath, entry.name))
}

/** Limits a supporter to these departments (by id). */
export async function limitTo(desk: Desk, staffId: number, ...departments: number[]): Promise<void> {
  const rows = departments.map(department_id => ({ department_id, staff_id: staffId }))
  await desk.db.insertInto('department_members').values(rows).execute()
}

/** Assigns a ticket; the contract has no operation for it. */
export async function assign(desk: Desk, ticketId: number, staffId: number): Promise<void> {
  await desk.db.updateTable('tickets').set({ assigned_staff_id: staffId }).where('id', '=', ticketId).execute()
}

/** Changes the row of a ticket directly, to bring about what would take long. */
export async function changeTicket(desk: Desk, ticketId: number, values: object): Promise<void> {
  await transaction(desk.db, async db => {
    // The time of the last change may be an earlier one here.
    await sql`alter table tickets disable trigger tickets_maintained`.execute(db)
    await db.updateTable('tickets').set(values).where('id', '=', ticketId).execute()
    await sql`alter table tickets enable trigger tickets_maintained`.execute(db)
    // It would have counted as well.
    await sql`select recount_tickets()`.execute(db)
  })
}

/** The ids of the tickets that the desk's list shows to this member of staff, in its order. */
export async function listedIds(desk: Desk, asker: Asker, body: object = {}, encoding?: Encoding): Promise<number[]> {
  const reply = await desk.post('/api/admin/tickets/list', asker, body, encoding)
  assert.equal(reply.status, 200, reply.body.message)
  return reply.data.tickets.map((ticket: { id: number }) => ticket.id)
}

/** What the timeline of a ticket tells: kind, before and after, in its order; what events say of their message beside its id is left out. */
export async function timeline(
  desk: Desk,
  ticketId: number
): Promise<[kind: string, before: unknown, after: unknown][]> {
  const events = await desk.db
    .selectFrom('events')
    .where('ticket_id', '=', ticketId)
    .select(['kind', 'before', 'after'])
    .orderBy('id')
    .execute()
  return events.map(({ kind, before, after }) => [kind, before, withoutMessage(kind, after)])
}

function withoutMessage(kind: string, facts: object | null) {
  const { sender_type: _, received_at: __, ...others }: Record<string, unknown> = { ...facts }
  if (kind === 'ticket.replied') return others
  return kind === 'ticket.created' ? { status: others.status, priority: others.priority } : facts
}

/** The actions that the audit log holds for a ticket, in its order. */
export async function auditedActions(desk: Desk, ticketId: number): Promise<string[]> {
  const rows = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('target_type', '=', 'ticket')
    .where('target_id', '=', ticketId)
    .select('action')
    .orderBy('id')
    .execute()
  return rows.map(({ action }) => action)
}

export function ticketRow(desk: Desk, id: number) {
  return desk.db.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
