import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { callApi, RequestRefused, ServiceUnreachable } from './call-api.ts'

/** What the service has acknowledged, and therefore must never lose. */
export interface Acknowledged {
  tickets: Ticket[]
  /** Addresses that were promised an e-mail, one entry for each e-mail. */
  emails: string[]
  /** How often each status was refused with. */
  refusals: Map<number, number>
}

interface Ticket {
  token: string
  id: number
  messages: string[]
  /** The digest of each file by its path. */
  files: Map<string, string>
  /** Undefined while it is being changed, and forever if that request was not answered. */
  status: string | undefined
}

export interface Writer {
  token: string
  email: string
}

export interface LoadOptions {
  acknowledged: Acknowledged
  /** Ends the load after the current request. */
  until?: AbortSignal
  /** Whether the service may be killed, which ends the load as well. */
  mayBeKilled?: boolean
  /** Statuses that are retried. */
  mayRefuse?: readonly number[]
  /** The largest file, in bytes. */
  largest?: number
}

export function nothingAcknowledged(): Acknowledged {
  return { tickets: [], emails: [], refusals: new Map() }
}

/** Signs clients up and logs them in. */
export async function newWriters(url: string, count: number): Promise<Writer[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const email = `${randomBytes(8).toString('hex')}@example.com`
      const person = { first_name: 'Ada', last_name: 'Lovelace', email, password: 'correct horse' }
      await callApi(url, '/api/auth/signup', { body: person })
      const { token } = await callApi(url, '/api/auth/login', { body: person })
      return { email, token }
    })
  )
}

/** Lets all of them write at once. An error rejects the returned promise, and is no unhandled rejection before it is awaited. */
export function writeConcurrently(url: string, writers: Writer[], writing: LoadOptions): Promise<void> {
  const written = Promise.all(writers.map(writer => write(url, writer, writing))).then(() => {})
  written.catch(() => {})
  return written
}

/**
 * Opens tickets with files, replies to them, closes some, and has e-mails sent: one request after the other, until it is aborted
 * or the service is killed. Only what was acknowledged is recorded; a request that was refused or cut off promises nothing.
 */
async function write(url: string, writer: Writer, writing: LoadOptions): Promise<void> {
  while (!writing.until?.aborted) {
    try {
      await oneTicket(url, writer, writing)
    } catch (error) {
      if (error instanceof ServiceUnreachable && writing.mayBeKilled) return
      if (!(error instanceof RequestRefused)) throw error
      const { refusals } = writing.acknowledged
      refusals.set(error.status, (refusals.get(error.status) ?? 0) + 1)
      await pause(50)
    }
  }
}

async function oneTicket(url: string, { token, email }: Writer, writing: LoadOptions): Promise<void> {
  const { acknowledged, mayRefuse, until, largest = 200_000 } = writing
  const files = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () => randomFile(largest))
  const message = words()
  const opened = await callApi(url, '/api/tickets/create', {
    token,
    mayRefuse,
    body: form({ deptid: '1', subject: 'Written while the power goes', message }, files)
  })
  const ticket: Ticket = { token, id: opened.ticket_id, messages: [message], files: new Map(), status: 'Open' }
  note(ticket, opened.attachments, files)
  acknowledged.tickets.push(ticket)

  for (const attached of [[], [randomFile(largest)]]) {
    if (until?.aborted) return
    const reply = words()
    ticket.status = undefined
    const body = form({ id: String(ticket.id), message: reply }, attached)
    const replied = await callApi(url, '/api/tickets/reply', { token, mayRefuse, body })
    ticket.messages.push(reply)
    ticket.status = 'Customer-Reply'
    note(ticket, replied.attachments, attached)
  }

  if (until?.aborted || Math.random() < 0.5) return
  ticket.status = undefined
  await callApi(url, '/api/tickets/status', { token, mayRefuse, body: { id: ticket.id, status: 'Closed' } })
  ticket.status = 'Closed'
  await callApi(url, '/api/auth/forgot-password', { mayRefuse, body: { email } })
  acknowledged.emails.push(email)
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** A multipart body of these fields and files. */
export function form(fields: Record<string, string>, files: Uint8Array<ArrayBuffer>[] = []): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  for (const file of files) body.append('attachments', new File([file], 'noise.zip', { type: 'application/zip' }))
  return body
}

export function randomFile(largest: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(randomBytes(1 + Math.floor(Math.random() * largest)))
}

/** Attachments are answered in the order in which they were sent. */
function note(ticket: Ticket, attachments: { file_path: string }[], files: Uint8Array[]): void {
  for (const [at, { file_path }] of attachments.entries()) ticket.files.set(file_path, sha256(files[at]!))
}

function words(): string {
  return randomBytes(40).toString('base64')
}
