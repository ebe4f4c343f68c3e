import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { aClientWithAllData, canary, zebedeeDetails } from '../../../test/support/client-with-all-data.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { exportArchive } from '../../../test/support/export-archive.ts'
import { aClient, aSupporter, type Person } from '../../../test/support/people.ts'
import { sequencedDatabase } from '../../../test/support/sequenced-database.ts'
import { aFile, aTicket } from '../../../test/support/tickets.ts'

const desk = await bootDesk({ connections: 2 })
const address = '/api/admin/clients/export'
let grace: Person
let whole: Awaited<ReturnType<typeof aClientWithAllData>>

before(async () => {
  grace = await aSupporter(desk, 'clients.edit', 'tickets.view_all', 'tickets.delete')
  whole = await aClientWithAllData(desk)
})

async function linkTo({ id }: { id: number }): Promise<string> {
  const { data } = await desk.post(address, grace, { id })
  const { pathname, search } = new URL(data.url)
  return pathname + search
}

const fetched = (link: string) => exportArchive(desk, link)

const leftovers = async () => (await readdir(tmpdir())).filter(name => name.startsWith('deskline-export-'))

test('the archive holds all that is stored of a client, and every file byte for byte', async () => {
  const { files, data } = await fetched(await linkTo(whole.client))

  const counts = Object.fromEntries(
    Object.entries(data).map(([name, rows]) => [name, Array.isArray(rows) && rows.length])
  )
  const { outbox_messages: emails, history, ...others } = counts
  assert.deepEqual(others, {
    exported_at: false,
    client: false,
    sessions: 2,
    refresh_tokens: 1,
    login_challenges: 1,
    mail_log: 4,
    followers: 1,
    following: 0,
    managed_tickets: 0,
    inbound_mails: 0,
    blocked_senders: 0,
    message_emails: 0,
    sent_emails: 4,
    email_changes: 0,
    unconfirmed_tickets: 0,
    reset_tokens: 1,
    verification_codes: 3,
    recovery_codes: 10,
    passkeys: 1,
    sso_identities: 0,
    known_devices: 1,
    passkey_challenges: 1,
    ratings: 0,
    tickets: 2,
    ticket_fields: 1,
    messages: 4,
    api_tokens: 1,
    article_answers: 1,
    articles_read: 1,
    attachments: 3,
    events: 7
  })
  assert.ok(Number(emails) >= 4 && Number(history) >= 1)
  assert.deepEqual({ ...data.client, ...zebedeeDetails, email: whole.email }, data.client)
  assert.match(data.client.created_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  assert.deepEqual([data.client.two_factor_enabled, data.sessions[0].ended_at], [1, null])
  assert.deepEqual(
    data.messages.map((each: { sender_type: string; message: string }) => [each.sender_type, each.message]),
    [
      ['customer', 'There is smoke.'],
      ['customer', 'There is fire.'],
      ['admin', 'We are coming.'],
      ['customer', 'Thank you.']
    ]
  )
  const attached = data.attachments.map((each: { file: string }) => files.get(each.file))
  assert.deepEqual(attached, ['the first file', 'the second file', 'more'])
  assert.equal(files.size, 4)
})

test('it holds no secret, no note, nothing that staff keep among themselves, and nothing of anybody else', async () => {
  const eve = await aClient(desk, { first_name: 'Evelyn-of-elsewhere' })
  await aTicket(desk, eve, { subject: 'Subject-of-elsewhere', message: 'Words-of-elsewhere' }, [aFile('elsewhere.txt')])
  const admin = { token: whole.admin.token }
  await desk.post('/api/admin/clients/reset_2fa', admin, { id: eve.id, reason: 'Reason-of-elsewhere' })
  const { rows } = await sql<{ secret: string }>`
    select password as secret from clients union select two_factor_secret from clients union select token from refresh_tokens
    union select code from verification_codes union select digest from recovery_codes union select sealed_content from outbox_messages
    union select password from login_challenges`.execute(desk.db)
  const secrets = rows.map(({ secret }) => secret).filter(secret => secret !== null)

  const { tar } = await fetched(await linkTo(whole.client))

  assert.ok(secrets.length > 15)
  for (const secret of secrets) assert.ok(!tar.includes(secret), secret)
  for (const text of [canary, 'elsewhere', eve.email, whole.admin.email, whole.client.token]) {
    assert.ok(!tar.includes(text), text)
  }
  assert.doesNotMatch(tar, /"(password|token|code|digest|two_factor_secret|sealed_content|note|search_text)":/)
})

test('it is given out as a file that nobody keeps or renders, to whoever has the link, and to HEAD not at all', async () => {
  const link = await linkTo(whole.client)

  const { response } = await fetched(link)
  const head = await fetch(desk.url + link, { method: 'HEAD' })

  const headers = Object.fromEntries(response.headers)
  assert.equal(headers['content-type'], 'application/gzip')
  assert.match(
    headers['content-disposition']!,
    new RegExp(`^attachment; filename="client-${whole.client.id}\\.tar\\.gz"`)
  )
  assert.equal(headers['cache-control'], 'private, no-store')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(headers['content-security-policy']!, /sandbox/)
  assert.equal(head.status, 405)
})

test('a link works for five minutes, for its own client and as it was signed; all else is the same 404', async t => {
  const link = await linkTo(whole.client)
  const other = await aClient(desk)
  const { ticket_id: _, attachments } = await aTicket(desk, other, {}, [aFile('a.txt')])
  const { data } = await desk.post('/api/tickets/attachment-link', other, { id: attachments[0].id })
  const query = link.slice(link.indexOf('?'))
  t.after(() => desk.clock.turn(-301))

  const paths = [
    `/exports/clients/${other.id}${query}`,
    `/exports/clients/0${whole.client.id}${query}`,
    `/exports/clients/${whole.client.id}`,
    `/exports/clients/${whole.client.id}${new URL(data.url).search}`,
    `${attachments[0].file_path}${query}`,
    link.replace(/expires=(\d+)/, (_, expires) => `expires=${Number(expires) + 1}`),
    `${link}&signature=x`,
    `/exports/clients/x${query}`
  ]
  const refused = await Promise.all(paths.map(path => fetch(desk.url + path)))
  desk.clock.turn(301)
  refused.push(await fetch(desk.url + link))

  for (const response of refused) {
    assert.equal(response.status, 404)
    const message = 'There is no such file'
    const reason = response.url.includes('/uploads/') ? 'file_not_found' : 'export_not_found'
    assert.deepEqual(await response.json(), { status: 'error', code: 404, message, reason })
  }
})

test('there is no link for nobody, and no archive of who was deleted meanwhile', async () => {
  const gone = await aClient(desk)
  const link = await linkTo(gone)
  await desk.db.deleteFrom('clients').where('id', '=', gone.id).execute()

  assert.equal((await desk.post(address, grace, { id: gone.id })).status, 404)
  assert.equal((await fetch(desk.url + link)).status, 404)
})

test('who exported whom is recorded', async () => {
  const ada = await aClient(desk)

  await desk.post(`/api/admin/clients/${ada.id}/export`, grace)

  const entries = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('target_type', '=', 'client')
    .where('target_id', '=', ada.id)
    .select(['action', 'actor_id'])
    .execute()
  assert.deepEqual(entries, [{ action: 'client.exported', actor_id: grace.id }])
})

test('a file that is missing is named; one that is not known to be clean is told of, not given', async () => {
  const ada = await aClient(desk)
  const files = [aFile('gone.txt', 'gone'), aFile('bad.txt', 'bad'), aFile('good.txt', 'good')]
  const { attachments } = await aTicket(desk, ada, {}, files)
  const [gone, bad, good] = attachments
  await rm(join(desk.dataDir, gone.file_path))
  await desk.db.updateTable('ticket_attachments').set({ scan_state: 'infected' }).where('id', '=', bad.id).execute()

  const archive = await fetched(await linkTo(ada))

  assert.deepEqual([...archive.files.keys()], ['data.json', `files/${good.id}-good.txt`, 'missing.json'])
  assert.deepEqual(JSON.parse(archive.files.get('missing.json')!), [`files/${gone.id}-gone.txt`])
  const told = archive.data.attachments.map((each: { file_name: string; file: unknown }) => [each.file_name, each.file])
  assert.deepEqual(told[1], ['bad.txt', null])
})

test('a client with more than fits in memory at a time is exported whole, in order', async () => {
  const ada = await aClient(desk)
  const { ticket_id } = await aTicket(desk, ada)
  await sql`
    insert into ticket_messages (ticket_id, client_id, sender_first_name, sender_last_name, message)
    select ${ticket_id}, ${ada.id}, 'Ada', 'Lovelace', 'message ' || n from generate_series(1, 1200) as n`.execute(
    desk.db
  )

  const { data } = await fetched(await linkTo(ada))

  const numbers = data.messages.map((each: { message: string }) => Number(each.message.split(' ')[1]))
  assert.deepEqual(
    numbers.slice(1),
    Array.from({ length: 1200 }, (_, at) => at + 1)
  )
})

test('whoever hangs up leaves nothing behind, and the desk goes on', async () => {
  const ada = await aClient(desk)
  const noise = () => crypto.getRandomValues(new Uint8Array(65_536))
  const large = new Blob(Array.from({ length: 160 }, noise))
  await aTicket(desk, ada, {}, [new File([large], 'large.zip')])
  const link = await linkTo(ada)
  const hangUp = new AbortController()

  const response = await fetch(desk.url + link, { signal: hangUp.signal })
  const { value } = await response.body!.getReader().read()
  hangUp.abort()

  assert.ok(value!.length > 0)
  assert.deepEqual(await leftovers(), [])
  const { files } = await fetched(link)
  assert.equal(files.size, 2)
})
