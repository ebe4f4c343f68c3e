import assert from 'node:assert/strict'
import { openSession } from '../../src/core/sessions/sessions.ts'
import type { Desk } from './desk.ts'
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
  const [owner, other, admin] = [await aClient(desk, aProved), await aClient(desk), await anAdmin(desk)]
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
    admin,
    tickets: {
      plain: await open(owner),
      elsewhere: await open(owner, { department_id: 4 }),
      closed: await open(owner),
      target: await open(owner),
      source: await open(owner),
      trashed: await open(owner),
      others: await open(other)
    }
  }
}
const aProved = { is_email_verified: true, phone_number: '+31612345678' }

export type NotesSetup = Awaited<ReturnType<typeof ticketsToNote>>

/** Notes of every kind on all of them, before they change to the state of their name. */
export async function writeNotes(desk: Desk, { admin, owner, tickets }: NotesSetup): Promise<void> {
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
  for (const { id } of Object.values(tickets)) {
    for (const note of notes) await act('note', { id, note })
    await act('note', form({ id, note: `${noteCanary} with a file` }, aNoteFile()))
    await act('assign', { id, assigned_staff_id: reader.id })
    await act('reply', { id, message: 'Nothing to see here.' })
    await act('watch', { id })
    await act('followers/add', { id, email: `follower.${id}@example.com` })
  }
  await act('status', { id: tickets.closed.id, status: 'Closed' })
  await act('merge', { id: tickets.source.id, into_id: tickets.target.id })
  await act('note', { id: tickets.target.id, note: `${noteCanary} on both` })
  await act('delete', { id: tickets.trashed.id })
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
  return session!
}
