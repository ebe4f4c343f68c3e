import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aClientWithAllData, canary } from '../../../test/support/client-with-all-data.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { erase, nothingStoredAbout, storeCounts } from '../../../test/support/erasure.ts'
import { aClient, anAdmin, type Person } from '../../../test/support/people.ts'
import { storedText } from '../../../test/support/stored-text.ts'
import { storedFiles } from '../../../test/support/tickets.ts'
import type { StoreReport } from './stores.ts'

const desk = await bootDesk({ connections: 5 })
const admin = await anAdmin(desk)

/** The columns, except times, that differ between two clients. */
async function differences(...clients: Person[]): Promise<string[]> {
  const ids = clients.map(({ id }) => id)
  const [one, other] = await desk.db.selectFrom('clients').selectAll().where('id', 'in', ids).execute()
  const columns = Object.keys(one!) as (keyof typeof other)[]
  return columns
    .filter(name => !/_at$|^search_text$/.test(name) && String(one![name]) !== String(other![name]))
    .map(String)
    .sort()
}

describe('anonymizing', () => {
  test('takes the person out of everything, and leaves the tickets with their words and files', async () => {
    const whole = await aClientWithAllData(desk)
    const files = await storedFiles(desk)

    const reply = await erase(desk, admin, whole.client, 'anonymize')

    const { ticket, messages } = (await desk.post('/api/tickets/detail', admin, { id: whole.tickets[0] })).data
    const { client } = (await desk.post('/api/admin/clients/detail', admin, { id: whole.client.id })).data
    assert.deepEqual([reply.status, ticket.subject, messages.length], [200, 'Smoke', 3])
    assert.deepEqual(
      messages.map(
        (message: Person & { message: string }) => `${message.first_name} ${message.last_name}: ${message.message}`
      ),
      ['Deleted client: There is smoke.', 'Grace Hopper: We are coming.', 'Deleted client: Thank you.']
    )
    assert.deepEqual(
      [client.first_name, client.last_name, client.company_name, client.is_active],
      ['Deleted', 'client', '', 0]
    )
    assert.match(client.email, /^deleted-\d+-[0-9a-f]{32}@deleted\.invalid$/)
    assert.deepEqual(await storedFiles(desk), files)
    await nothingStoredAbout(desk, whole.email)
    assert.ok((await storedText(desk)).includes(canary))
    const fresh = await aClient(desk, { first_name: 'Deleted', last_name: 'client', is_active: false })
    assert.deepEqual(await differences(whole.client, fresh), ['email', 'id', 'password', 'ticket_emails', 'version'])
  })

  test('tells of every store what became of it', async () => {
    const whole = await aClientWithAllData(desk)

    const { stores } = (await erase(desk, admin, whole.client, 'anonymize')).data as { stores: StoreReport[] }

    const { outbox_messages: emails, rate_limits: attempts, ...removed } = storeCounts(stores, 'removed')
    const { audit_log, ...kept } = storeCounts(stores, 'kept')
    assert.deepEqual(removed, {
      api_tokens: 1,
      kb_feedback: 1,
      sessions: 2,
      refresh_tokens: 1,
      login_challenges: 1,
      reset_tokens: 1,
      verification_codes: 3,
      recovery_codes: 10,
      passkeys: 1,
      passkey_challenges: 1,
      known_devices: 1,
      ticket_followers: 1,
      sent_emails: 4
    })
    assert.deepEqual(storeCounts(stores, 'anonymized'), {
      audit_log: 4,
      clients: 1,
      client_words: 1,
      ticket_words: 2,
      ticket_messages: 3,
      mail_log: 4,
      events: 7
    })
    assert.deepEqual(kept, {
      tickets: 2,
      ticket_fields: 1,
      ticket_messages: 1,
      ticket_attachments: 4,
      ticket_notes: 1,
      files: 4
    })
    assert.ok(emails! >= 4 && attempts! >= 1 && audit_log! >= 1)
    for (const { store, kept, reason } of stores) if (kept > 0) assert.match(reason ?? '', /./, store)
  })

  test('leaves no way in, and the address to whoever comes next, who gets nothing of what was', async () => {
    const whole = await aClientWithAllData(desk)
    const { client, email } = whole

    await erase(desk, admin, whole.client, 'anonymize')

    const login = () => desk.post('/api/auth/login', undefined, { email, password: client.password })
    assert.equal((await login()).status, 401)
    assert.equal((await desk.post('/api/tickets/list', client)).status, 401)
    assert.equal((await desk.post('/api/auth/refresh', undefined, { refresh_token: client.refresh_token })).status, 401)
    assert.equal((await desk.post('/api/auth/forgot-password', undefined, { email })).status, 404)
    await desk.post('/api/auth/signup', undefined, {
      first_name: 'Zoe',
      last_name: 'New',
      email,
      password: client.password
    })
    const { token } = (await login()).data
    assert.equal((await desk.post('/api/tickets/list', { token })).data.total, 0)
    await desk.db.deleteFrom('clients').where('email', '=', email).execute()
  })

  test('is done once: nobody is put in the place of who was erased, but what is left can be deleted', async () => {
    const whole = await aClientWithAllData(desk)
    await erase(desk, admin, whole.client, 'anonymize')
    const { id } = whole.client
    const { email } = (await desk.post('/api/admin/clients/detail', admin, { id })).data.client

    const statuses = [
      (await desk.post('/api/admin/clients/update', admin, { id, email: whole.email, is_active: 1 })).status,
      (await desk.post('/api/admin/clients/send_reset', admin, { id })).status,
      (await erase(desk, admin, whole.client, 'anonymize', { confirm_email: email })).status,
      (await erase(desk, admin, whole.client, 'cascade', { confirm_email: email })).status
    ]

    assert.deepEqual(statuses, [409, 409, 409, 200])
  })
})
