import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { aClientWithAllData, zebedeeDetails } from '../../../test/support/client-with-all-data.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { erase, nothingStoredAbout, storeCounts } from '../../../test/support/erasure.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { sequencedDatabase } from '../../../test/support/sequenced-database.ts'
import { ticketCountsAreRight } from '../../../test/support/ticket-counts.ts'
import { aFile, aTicket, storedFiles } from '../../../test/support/tickets.ts'
import { FileStoreUnavailable } from '../../platform/files/file-store.ts'
import { sweepUploads } from '../../tickets/attachments/sweep-uploads.ts'
import type { StoreReport } from './stores.ts'

const desk = await bootDesk({ connections: 5 })
const admin = await anAdmin(desk)

describe('deleting with all that belongs to the client', () => {
  test('leaves every table as it was before the client came, and no file', async () => {
    await aTicket(desk, await aClient(desk), {}, [aFile('others.txt')])
    const others = await storedFiles(desk)
    await desk.findPendingNotifications()
    const before = withoutLogs(await desk.rowCounts())
    const whole = await aClientWithAllData(desk)
    assert.equal((await storedFiles(desk)).length, others.length + 4)

    const reply = await erase(desk, admin, whole.client, 'cascade')

    const after = withoutLogs(await desk.rowCounts())
    assert.deepEqual([reply.status, reply.data.deleted_id, reply.data.mode], [200, whole.client.id, 'cascade'])
    // The scenario's admin and the tag stay.
    assert.deepEqual(after, {
      ...before,
      staff: before.staff! + 1,
      sessions: before.sessions! + 1,
      refresh_tokens: before.refresh_tokens! + 1,
      tags: before.tags! + 1,
      fields: before.fields! + 2
    })
    await ticketCountsAreRight(desk.db)
    assert.deepEqual(await storedFiles(desk), others)
    await nothingStoredAbout(desk, whole.email)
  })

  test('tells of every store what became of it', async () => {
    const whole = await aClientWithAllData(desk)

    const { stores } = (await erase(desk, admin, whole.client, 'cascade')).data as { stores: StoreReport[] }

    const { outbox_messages: emails, rate_limits: attempts, audit_log, ...removed } = storeCounts(stores, 'removed')
    assert.deepEqual(removed, {
      clients: 1,
      tickets: 2,
      ticket_messages: 4,
      client_ticket_changes: 2,
      client_words: 1,
      ticket_words: 2,
      ticket_attachments: 4,
      ticket_notes: 1,
      ticket_tags: 1,
      ticket_fields: 1,
      ticket_watchers: 1,
      ticket_followers: 1,
      ticket_reads: 1,
      api_tokens: 1,
      sessions: 2,
      refresh_tokens: 1,
      login_challenges: 1,
      reset_tokens: 1,
      verification_codes: 3,
      recovery_codes: 10,
      kb_feedback: 1,
      kb_links: 1,
      passkeys: 1,
      passkey_challenges: 1,
      known_devices: 1,
      sent_emails: 4,
      files: 4
    })
    assert.ok(emails! >= 4 && attempts! >= 1)
    const log = stores.find(each => each.store === 'audit_log')!
    assert.ok(log.kept + log.anonymized >= 1 && log.removed === 0 && /provable/.test(log.reason!))
  })

  test('ends the client: the tokens, the tickets and the address are free of them', async () => {
    const whole = await aClientWithAllData(desk)
    const { client, email, tickets } = whole

    await erase(desk, admin, whole.client, 'cascade')

    const signUp = { first_name: 'Zoe', last_name: 'New', email, password: 'correct horse' }
    assert.equal((await desk.post('/api/tickets/list', client)).status, 401)
    assert.equal((await desk.post('/api/admin/clients/detail', admin, { id: client.id })).status, 404)
    assert.equal((await desk.post('/api/tickets/detail', admin, { id: tickets[0] })).status, 404)
    assert.equal((await desk.post('/api/auth/signup', undefined, signUp)).status, 201)
    await desk.db.deleteFrom('clients').where('email', '=', email).execute()
  })

  test('is told as done when the file store is away: the rows are gone, and the sweep brings the files after them', async t => {
    const whole = await aClientWithAllData(desk)
    const before = await storedFiles(desk)
    const { files } = desk.services
    const away = t.mock.method(files, 'discard', async () => {
      throw new FileStoreUnavailable('away')
    })

    const { stores } = (await erase(desk, admin, whole.client, 'cascade')).data as { stores: StoreReport[] }

    away.mock.restore()
    const report = stores.find(each => each.store === 'files')!
    assert.deepEqual([report.removed, report.kept], [0, 4])
    assert.match(report.reason!, /nightly cleanup/)
    assert.equal((await storedFiles(desk)).length, before.length)
    await sweepUploads(desk.services, { olderThanMilliseconds: 3_600_000 })
    assert.equal((await storedFiles(desk)).length, before.length - 4)
  })
})

test('another address than the client’s, another mode, an old version and a client who is none erase nothing', async () => {
  const whole = await aClientWithAllData(desk)
  const before = await desk.rowCounts()
  const files = await storedFiles(desk)

  const replies = [
    await erase(desk, admin, whole.client, 'cascade', { confirm_email: admin.email }),
    await erase(desk, admin, whole.client, 'everything'),
    await erase(desk, admin, whole.client, 'cascade', { mode: undefined }),
    await erase(desk, admin, whole.client, 'cascade', { expected_version: 999 }),
    await erase(desk, admin, whole.client, 'anonymize', { id: 987_654 })
  ]

  assert.deepEqual(
    replies.map(reply => [reply.status, reply.body.errors]),
    [
      [400, ['confirm_email']],
      [400, ['mode']],
      [400, ['mode']],
      [409, ['expected_version']],
      [404, undefined]
    ]
  )
  assert.deepEqual(await desk.rowCounts(), before)
  assert.deepEqual(await storedFiles(desk), files)
})

test('the address confirms in any case; who erased and how much is recorded, and nothing of the person', async () => {
  const whole = await aClientWithAllData(desk)

  const reply = await erase(desk, admin, whole.client, 'cascade', { confirm_email: ` ${whole.email.toUpperCase()} ` })

  const entry = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('action', '=', 'client.deleted')
    .where('target_id', '=', whole.client.id)
    .select(['actor_id', 'before', 'after'])
    .executeTakeFirstOrThrow()
  assert.equal(reply.status, 200)
  assert.equal(entry.actor_id, admin.id)
  assert.deepEqual([entry.before, (entry.after as { tickets: number }).tickets], [null, 2])
})

test('e-mails that do not tell whom they concern, to an address or number that another client has, are the other’s', async () => {
  const whole = await aClientWithAllData(desk)
  await desk.db.updateTable('outbox_messages').set({ client_id: null }).execute()
  const neighbour = await aClient(desk, { phone_number: zebedeeDetails.phone_number })

  await erase(desk, admin, whole.client, 'cascade')

  const emails = await desk.db.selectFrom('outbox_messages').select(['channel', 'recipient']).execute()
  assert.ok(emails.some(message => message.recipient === zebedeeDetails.phone_number))
  assert.ok(!emails.some(message => message.recipient === whole.email))
  await desk.db.deleteFrom('outbox_messages').where('channel', '=', 'text').execute()
  await desk.db.deleteFrom('clients').where('id', '=', neighbour.id).execute()
})

test('no table is forgotten: each is told of, or holds nothing of clients', async () => {
  const nothingOfClients = [
    'audit_head',
    'calendar_days',
    'calendar_weeks',
    'calendars',
    'client_counts',
    'connected_mailboxes',
    'definition_uses',
    'deleted_fields',
    'department_members',
    'department_moves',
    'departments',
    'desk_clock',
    'desk_logo',
    'desk_settings',
    'due_work_lease',
    'email_templates',
    'event_places',
    'event_readers',
    'event_sequencer',
    'event_streams',
    'fields',
    'former_addresses',
    'installation',
    'kb_articles',
    'kb_categories',
    'kb_category_texts',
    'kb_file_uses',
    'kb_files',
    'kb_slugs',
    'kb_state',
    'kb_texts',
    'kb_versions',
    'kb_wanted',
    'kb_words',
    'kysely_migration',
    'mailbox_sign_ins',
    'mailbox_tokens',
    'mailboxes',
    'organisation_domains',
    'organisation_merges',
    'organisation_ticket_changes',
    'organisations',
    'widget_secrets',
    'macro_uses',
    'macros',
    'permissions',
    'presences',
    'removed_files',
    'report_days',
    'report_dirty',
    'report_state',
    'ticket_facts',
    'schema_compatibility',
    'service_account_calls',
    'service_account_days',
    'rule_emails',
    'rule_fills',
    'rule_runs',
    'rule_timers',
    'rule_timers_fired',
    'rule_versions',
    'rules',
    'search_state',
    'sign_in_failures',
    'sso_attempts',
    'sso_providers',
    'sso_refusals',
    'sla_policies',
    'sla_recomputations',
    'sla_targets',
    'staff',
    'staff_permissions',
    'staff_signatures',
    'staff_reset_tokens',
    'stream_processes',
    'tags',
    'ticket_counts',
    'ticket_forms',
    'round_robins',
    'ticket_views',
    'webhook_secrets',
    'webhooks'
  ]
  const whole = await aClientWithAllData(desk)

  const { stores } = (await erase(desk, admin, whole.client, 'cascade')).data as { stores: StoreReport[] }

  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(desk.db)
  const told = stores.map(({ store }) => store).filter(store => !['files', 'outbox'].includes(store))
  assert.deepEqual([...told, ...nothingOfClients].sort(), rows.map(({ name }) => name).sort())
})

/** Events stay in these, with ids only, and e-mails, without the person; and what staff have written. */
function withoutLogs(counts: Record<string, number>) {
  const {
    audit_log: _log,
    audit_head: _head,
    events: _events,
    event_places: _places,
    mail_log: _mails,
    ...others
  } = counts
  // The article that the client has read stays.
  return Object.fromEntries(Object.entries(others).filter(([table]) => !/^kb_(?!feedback)/.test(table)))
}
