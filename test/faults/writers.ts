import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ask, Gone, Refused } from './ask.ts'

/** What the service has acknowledged, and so must never lose. */
export interface Acknowledged {
  tickets: Ticket[]
  /** Addresses that were promised an e-mail, once for each. */
  emails: string[]
  /** How often each refusal was met. */
  refusals: Map<number, number>
}

interface Ticket {
  token: string
  id: number
  messages: string[]
  /** The digest of each file by its path. */
  files: Map<string, string>
  /** Undefined while it is being changed, and for ever when nobody said how that ended. */
  status: string | undefined
}

export interface Writer {
  token: string
  email: string
}

export interface Writing {
  acknowledged: Acknowledged
  /** Ends it after the request that is under way. */
  until?: AbortSignal
  /** Whether the service may be gone all of a sudden, which ends it as well. */
  mayVanish?: boolean
  /** Refusals that are met with patience. */
  mayRefuse?: readonly number[]
  /** The largest file, in bytes. */
  largest?: number
}

export function nothingYet(): Acknowledged {
  return { tickets: [], emails: [], refusals: new Map() }
}

/** Signs clients up and logs them in. */
export async function newWriters(url: string, count: number): Promise<Writer[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const email = `${randomBytes(8).toString('hex')}@example.com`
      const person = { first_name: 'Ada', last_name: 'Lovelace', email, password: 'correct horse' }
      await ask(url, '/api/auth/signup', { body: person })
      const { token } = await ask(url, '/api/auth/login', { body: person })
      return { email, token }
    })
  )
}

/** Lets all of them write at once. What one meets is thrown to whoever waits for the end, and to nobody before. */
export function writeAll(url: string, writers: Writer[], writing: Writing): Promise<void> {
  const written = Promise.all(writers.map(writer => write(url, writer, writing))).then(() => {})
  written.catch(() => {})
  return written
}

/**
 * Opens tickets with files, replies to them, closes some, and has e-mails sent: one request after the other, until it is told
 * to stop or the service is gone. Whatever was answered is noted; a request that was refused or cut off is nobody's promise.
 */
async function write(url: string, writer: Writer, writing: Writing): Promise<void> {
  while (!writing.until?.aborted) {
    try {
      await oneTicket(url, writer, writing)
    } catch (error) {
      if (error instanceof Gone && writing.mayVanish) return
      if (!(error instanceof Refused)) throw error
      const { refusals } = writing.acknowledged
      refusals.set(error.status, (refusals.get(error.status) ?? 0) + 1)
      await pause(50)
    }
  }
}

async function oneTicket(url: string, { token, email }: Writer, writing: Writing): Promise<void> {
  const { acknowledged, mayRefuse, until, largest = 200_000 } = writing
  const files = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () => noise(largest))
  const message = words()
  const opened = await ask(url, '/api/tickets/create', {
    token,
    mayRefuse,
    body: form({ deptid: '1', subject: 'Written while the power goes', message }, files)
  })
  const ticket: Ticket = { token, id: opened.ticket_id, messages: [message], files: new Map(), status: 'Open' }
  note(ticket, opened.attachments, files)
  acknowledged.tickets.push(ticket)

  for (const attached of [[], [noise(largest)]]) {
    if (until?.aborted) return
    const reply = words()
    ticket.status = undefined
    const body = form({ id: String(ticket.id), message: reply }, attached)
    const replied = await ask(url, '/api/tickets/reply', { token, mayRefuse, body })
    ticket.messages.push(reply)
    ticket.status = 'Customer-Reply'
    note(ticket, replied.attachments, attached)
  }

  if (until?.aborted || Math.random() < 0.5) return
  ticket.status = undefined
  await ask(url, '/api/tickets/status', { token, mayRefuse, body: { id: ticket.id, status: 'Closed' } })
  ticket.status = 'Closed'
  await ask(url, '/api/auth/forgot-password', { mayRefuse, body: { email } })
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

export function noise(largest: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(randomBytes(1 + Math.floor(Math.random() * largest)))
}

/** Attachments are answered in the order in which they were sent. */
function note(ticket: Ticket, attachments: { file_path: string }[], files: Uint8Array[]): void {
  for (const [at, { file_path }] of attachments.entries()) ticket.files.set(file_path, sha256(files[at]!))
}

function words(): string {
  return randomBytes(40).toString('base64')
}
