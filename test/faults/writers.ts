import { createHash, randomBytes } from 'node:crypto'

/** What the service has acknowledged, and so must never lose. */
export interface Acknowledged {
  tickets: { token: string; id: number; messages: string[]; files: Map<string, string> }[]
}

/** Signs a client up and logs in; answers the bearer token. */
export async function newClient(url: string): Promise<string> {
  const email = `${randomBytes(8).toString('hex')}@example.com`
  const person = { first_name: 'Ada', last_name: 'Lovelace', email, password: 'correct horse' }
  await post(url, '/api/auth/signup', undefined, JSON.stringify(person))
  const { data } = await post(url, '/api/auth/login', undefined, JSON.stringify(person))
  return data.token
}

/**
 * Opens tickets with files and replies to them, one request after the other, until the service is gone. Whatever was
 * answered is noted in `acknowledged`; a request that was cut off is nobody's promise.
 */
export async function writeUntilGone(url: string, token: string, acknowledged: Acknowledged): Promise<void> {
  try {
    while (true) {
      const ticket = { token, id: 0, messages: [words()], files: new Map<string, string>() }
      const file = randomBytes(1 + Math.floor(Math.random() * 200_000))
      const form = new FormData()
      form.append('deptid', '1')
      form.append('subject', 'Written while the power goes')
      form.append('message', ticket.messages[0]!)
      form.append('attachments', new File([file], 'noise.zip', { type: 'application/zip' }))
      const created = await post(url, '/api/tickets/create', token, form)
      ticket.id = created.data.ticket_id
      note(ticket.files, created.data.attachments, file)
      acknowledged.tickets.push(ticket)

      const reply = words()
      await post(url, '/api/tickets/reply', token, JSON.stringify({ id: ticket.id, message: reply }))
      ticket.messages.push(reply)
    }
  } catch (error) {
    if (error instanceof Refused) throw error
  }
}

/** The service answered, but not what it should have. */
export class Refused extends Error {}

export async function post(url: string, path: string, token: string | undefined, body: string | FormData) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {})
    },
    body
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const answer = (await response.json()) as any
  // While it goes down, a service may say that it cannot; it may not do so in any other way.
  if (response.status === 503) throw new Error('unavailable')
  if (!response.ok) throw new Refused(`${path} answered ${response.status}: ${answer.message}`)
  return answer
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function note(files: Map<string, string>, attachments: { file_path: string }[], content: Uint8Array): void {
  for (const { file_path } of attachments) files.set(file_path, sha256(content))
}

function words(): string {
  return randomBytes(40).toString('base64')
}
