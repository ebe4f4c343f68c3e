import assert from 'node:assert/strict'
import { openSession } from '../../src/core/sessions/sessions.ts'
import type { Desk } from './desk.ts'
import { aField } from './fields.ts'
import { anOrganisation, aPersonOf } from './organisations.ts'
import { aClient, anAdmin, type Person } from './people.ts'
import { aFile, aTicket, form } from './tickets.ts'

/** Is in every note, and nowhere else. No encoding changes it. */
export const noteCanary = 'kanarienvogel'

export interface TicketWithNotes {
  id: number
  ticket_number: string
}

/** Tickets in every state that a ticket with notes can be in, all of one client but the last. */
export async function ticketsToNote(desk: Desk) {
  const [organisation, admin] = [await anOrganisation(desk), await anAdmin(desk)]
  const owner = await aPersonOf(desk, organisation, 'member', aProved)
  const other = await aClient(desk)
  const member = await aPersonOf(desk, organisation)
  const manager = await aPersonOf(desk, organisation, 'manager')
  const open = async (
    client: Person,
    given: object = {}
  ): Promise<TicketWithNotes & { attachments: [{ id: number; file_path: string }] }> => {
    const { ticket_id, ...opened } = await aTicket(desk, client, given, [aFile('smoke.txt', 'smoke')])
    return { id: ticket_id, ...opened }
  }
  return {
    owner,
    other,
    /** Colleagues of the owner, the first of whom sees none of these tickets, and the second those of the owner. */
    member,
    manager,
    admin,
    tickets: {
      plain: await open(owner),
      elsewhere: await open(owner, { department_id: 4 }),
      closed: await open(owner),
      target: await open(owner),
      source: await open(owner),
      trashed: await open(owner),
      others: await open(other),
      // Its notes go with a message into a ticket of somebody else, which is then meant by this name.
      split: await open(owner)
    }
  }
}
const aProved = { phone_number: '+31612345678' }

export type NotesSetup = Awaited<ReturnType<typeof ticketsToNote>>

/** Notes of every kind, and a field for staff, on all of them, before they change to the state of their name. */
export async function writeNotes(desk: Desk, { admin, owner, other, tickets }: NotesSetup): Promise<void> {
  const act = async (action: string, body: object) => {
    const { status, body: answer } = await desk.post(`/api/admin/tickets/${action}`, admin, body)
    assert.ok(status < 300, answer.message)
  }
  const reader = await anAdmin(desk)
  const notes = [
    `${noteCanary} one\nand ${noteCanary} more`,
    `@${reader.email}: <b>${noteCanary}</b> & "${noteCanary}"`,
    `{{client.first_name}} ${noteCanary} ' or 1=1 -- ${owner.email}`
  ]
  const field = await aField(desk, admin, {
    key: `${noteCanary}_key`,
    label: `${noteCanary} label`,
    hint: `${noteCanary} hint`,
    is_filterable: 1
  })
  const options = [{ label: `${noteCanary} option` }]
  const select = await aField(desk, admin, { key: `${noteCanary}_select`, kind: 'select', options })
  for (const { id } of Object.values(tickets)) {
    await act('update', { id, fields: { [field.key]: `${noteCanary} value`, [select.key]: 1 } })
    for (const note of notes) await act('note', { id, note })
    await act('note', form({ id, note: `${noteCanary} with a file` }, aNoteFile()))
    await writeAside(desk, admin, id)
    await act('assign', { id, assigned_staff_id: reader.id })
    await act('reply', { id, message: 'Nothing to see here.' })
    await act('watch', { id })
    await act('followers/add', { id, email: `follower.${id}@example.com` })
  }
  await act('status', { id: tickets.closed.id, status: 'Closed' })
  await act('merge', { id: tickets.source.id, into_id: tickets.target.id })
  await act('note', { id: tickets.target.id, note: `${noteCanary} on both` })
  await act('delete', { id: tickets.trashed.id })
  await splitFor(desk, admin, owner, other, tickets.split)
}

/** To whom staff write in side conversations, which clients see as little as notes. */
export const thirdParty = 'partner@third.example'

/** A side conversation about the ticket, with a file. */
async function writeAside(desk: Desk, admin: Person, ticket: number): Promise<void> {
  const body = { to: [thirdParty], subject: `${noteCanary} subject`, message: `${noteCanary} aside` }
  const { status, data } = await desk.post('/api/admin/tickets/forward', admin, { id: ticket, ...body })
  assert.equal(status, 201)
  const more = form({ id: data.conversation.id, message: `${noteCanary} again` }, aNoteFile())
  assert.equal((await desk.post('/api/admin/tickets/conversations/reply', admin, more)).status, 201)
}

/** Splits a message off with all notes, for another client. */
async function splitFor(desk: Desk, admin: Person, owner: Person, other: Person, ticket: TicketWithNotes) {
  const { data } = await desk.post('/api/tickets/reply', owner, { id: ticket.id, message: 'Of somebody else.' })
  const notes = await desk.db.selectFrom('ticket_notes').where('ticket_id', '=', ticket.id).select('id').execute()
  const body = { message_ids: [data.message_id], note_ids: notes.map(({ id }) => id), client_id: other.id }
  const made = await desk.post('/api/admin/tickets/split', admin, { id: ticket.id, ...body, subject: 'Split off' })
  assert.equal(made.status, 201, made.body.message)
  ticket.id = made.data.ticket_id
  ticket.ticket_number = made.data.ticket_number
}

/** A file whose name and content only staff may ever read. */
export function aNoteFile(): File {
  return aFile(`${noteCanary}.txt`, `The ${noteCanary} in a file`)
}

interface Request {
  method?: string
  /** Undefined: without a login. */
  asker?: { token: string }
  /** A string is sent as it is. */
  body?: object | string
}

/** Sends a request, and fails if the response has a note in its headers or its body. */
export async function requestWithoutNotes(desk: Desk, path: string, { method = 'POST', asker, body }: Request = {}) {
  const isForm = body instanceof FormData
  const response = await fetch(desk.url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(asker ? { authorization: `Bearer ${asker.token}` } : {}),
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' })
    },
    body: isForm || typeof body === 'string' ? body : JSON.stringify(body)
  })
  const text = await textOf(response)
  assertNoNote(`${method} ${path}`, JSON.stringify([...response.headers]) + text)
  return { status: response.status, text }
}

/** The beginning of a stream, which ends only when the caller closes it. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return await response.text()
  const reader = response.body!.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return Buffer.from(value ?? []).toString()
}

export function assertNoNote(name: string, text: string): void {
  const at = text.toLowerCase().indexOf(noteCanary)
  assert.ok(at < 0, `${name} tells of a note: ${text.slice(Math.max(0, at - 200), at + 100)}`)
}

/** The same person in a new session, so that ending it ends no other. */
export async function newSession(desk: Desk, { id }: Person): Promise<{ token: string }> {
  const { password } = await desk.db
    .selectFrom('clients')
    .where('id', '=', id)
    .select('password')
    .executeTakeFirstOrThrow()
  const device = { ip: '127.0.0.1', userAgent: 'test' }
  const session = await openSession(desk.services, desk.db, { population: 'client', id, password }, device)
  return session!.tokens
}
