import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { type Acknowledged, post, sha256 } from './writers.ts'

/** Every acknowledged ticket, message and file is there, through the service itself. */
export async function verifyAcknowledged(url: string, acknowledged: Acknowledged): Promise<void> {
  for (const { token, id, messages, files } of acknowledged.tickets) {
    const { data } = await post(url, '/api/tickets/detail', token, JSON.stringify({ id }))
    const stored = data.messages.map((each: { message: string }) => each.message)
    for (const message of messages) assert.ok(stored.includes(message), `ticket ${id} has lost a message`)
    for (const [path, digest] of files) {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
      assert.equal(response.status, 200, `${path} is gone`)
      assert.equal(sha256(await response.bytes()), digest, `${path} has other content`)
    }
  }
}

/** Nothing is half there: counters agree with the rows, rows with the files, files with the rows. */
export async function verifyNothingTorn(connection: pg.ClientConfig, dataDir: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const torn = await client.query(`
      select tickets.id from tickets
      where message_count <> (select count(*) from ticket_messages where ticket_id = tickets.id)
        or attachment_count <> (select count(*) from ticket_attachments where ticket_id = tickets.id)
        or message_count = 0`)
    assert.deepEqual(torn.rows, [], 'tickets whose counters disagree with their rows')
    const miscounted = await client.query(`
      select id from clients where ticket_count <> (select count(*) from tickets where client_id = clients.id)`)
    assert.deepEqual(miscounted.rows, [], 'clients whose counter disagrees with their tickets')

    const { rows } = await client.query('select file_path from ticket_attachments')
    const named = new Set(rows.map(row => row.file_path))
    const kept = new Set(await filesBelow(join(dataDir, 'uploads', 'tickets')))
    assert.deepEqual(
      [...named].filter(path => !kept.has(path)),
      [],
      'rows without a file'
    )
    assert.deepEqual(
      [...kept].filter(path => !named.has(path)),
      [],
      'files without a row'
    )
    assert.deepEqual(await readdir(join(dataDir, 'uploads', '.incoming')), [], 'unfinished files')
  } finally {
    await client.end()
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => `/uploads/tickets${join(entry.parentPath, entry.name).slice(folder.length)}`)
}
