import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { callApi } from './call-api.ts'
import type { TestInstallation } from './installations.ts'
import { type Acknowledged, sha256 } from './write-load.ts'

const atOnce = 8

/** Every acknowledged ticket, message, status and file is there, through the service itself. */
export async function verifyAcknowledged(url: string, { tickets }: Acknowledged): Promise<void> {
  const left = tickets.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const ticket of left) await verifyTicket(url, ticket)
    })
  )
}

async function verifyTicket(url: string, { token, id, messages, files, status }: Acknowledged['tickets'][number]) {
  const { ticket, messages: kept } = await callApi(url, '/api/tickets/detail', { token, body: { id } })
  const stored = new Set(kept.map((each: { message: string }) => each.message))
  for (const message of messages) assert.ok(stored.has(message), `ticket ${id} has lost a message`)
  if (status) assert.equal(ticket.status, status, `the status of ticket ${id}`)
  for (const [path, digest] of files) {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(response.status, 200, `${path} is gone`)
    assert.equal(sha256(await response.bytes()), digest, `${path} has other content`)
  }
}

/**
 * Nothing is half there: counters agree with rows, rows with files, e-mails with jobs. What requests left that were cut off is swept
 * when it is older than any request.
 */
export async function verifyConsistent(installation: TestInstallation, acknowledged: Acknowledged): Promise<void> {
  const client = new pg.Client(await installation.connection())
  client.on('error', () => {})
  await client.connect()
  try {
    for (const [what, query] of Object.entries(inconsistencies)) {
      const { rows } = await client.query(query)
      assert.deepEqual(rows, [], what)
    }
    await verifyOutbox(client, installation, acknowledged)
    const { rows } = await client.query('select file_path from ticket_attachments')
    const named = new Set<string>(rows.map(row => row.file_path))
    const kept = new Set(await filesBelow(join(installation.dataDir, 'uploads', 'tickets')))
    assert.deepEqual(
      [...named].filter(path => !kept.has(path)),
      [],
      'rows without a file'
    )
  } finally {
    await client.end()
  }
}

const inconsistencies = {
  'tickets whose counters disagree with their rows': `
    select tickets.id from tickets
    where message_count <> (select count(*) from ticket_messages where ticket_id = tickets.id)
      or attachment_count <> (select count(*) from ticket_attachments where ticket_id = tickets.id)
      or message_count = 0`,
  'clients whose counter disagrees with their tickets': `
    select id from clients
    where ticket_count + coalesce((select sum(tickets) from client_ticket_changes where client_id = clients.id), 0)
      <> (select count(*) from tickets where client_id = clients.id)`,
  'e-mails that are neither sent nor going to be': `
    select id, state from outbox_messages where state = 'failed' or state = 'queued' and not exists (
      select from pgboss.job
      where name = 'deliver-message' and (data->>'messageId')::bigint = outbox_messages.id and job.state < 'completed')`
}

/** Each promised e-mail has its row; each that was sent is in the outbox, and none is there twice. */
async function verifyOutbox(
  client: pg.Client,
  installation: TestInstallation,
  { emails }: Acknowledged
): Promise<void> {
  const { rows } = await client.query<{ recipient: string; state: string; last_answer: string }>(
    `select recipient, state, last_answer from outbox_messages where channel = 'mail'`
  )
  for (const [email, promised] of Map.groupBy(emails, each => each)) {
    const kept = rows.filter(row => row.recipient === email).length
    assert.ok(kept >= promised.length, `${email} was promised ${promised.length} e-mails and has ${kept}`)
  }
  const files = (await namesIn(join(installation.dataDir, 'outbox'))).filter(name => name.endsWith('.eml'))
  const outbox = new Set(files.map(randomPart))
  const sent = rows.filter(row => row.state === 'sent').map(row => randomPart(row.last_answer))
  assert.deepEqual(
    sent.filter(name => !outbox.has(name)),
    [],
    'e-mails that were sent and are not in the outbox'
  )
  assert.equal(new Set(sent).size, sent.length, 'each e-mail has a file of its own')
  assert.ok(files.length <= rows.length, `${files.length} files of ${rows.length} e-mails`)
}

/** What tells the file of one e-mail from all others; of the rest of the name the row keeps no ticket number. */
function randomPart(name: string): string | undefined {
  return name.split('.').at(-2)
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(noneYet)
  return entries
    .filter(entry => entry.isFile())
    .map(entry => `/uploads/tickets${join(entry.parentPath, entry.name).slice(folder.length)}`)
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch(noneYet)
}

function noneYet(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}
