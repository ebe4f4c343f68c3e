import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { testClock } from '../../../test/support/clock.ts'
import { quiet, type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { aFileOwner } from '../../../test/support/file-owner.ts'
import { recordingOutbox } from '../../../test/support/outbox.ts'
import { readConfig } from '../../core/config.ts'
import { transaction } from '../../core/db.ts'
import { type JobRunner, openJobs } from '../../core/jobs.ts'
import { makeKeys } from '../../core/keys.ts'
import { makeMetrics } from '../../core/metrics.ts'
import type { Services } from '../../core/services.ts'
import { phoneCodeText } from '../../core/wording/fill-wording.ts'
import { renderEmail } from '../../core/wording/render-email.ts'
import { diskFileStore } from '../../platform/files/disk.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import { mailFolder } from '../../platform/mail/outbox-folder.ts'
import { PermanentFailure } from '../../platform/permanent-failure.ts'
import { textFolder } from '../../platform/texts/outbox-folder.ts'
import { addToOutbox } from './add-to-outbox.ts'
import { composeEmail } from './compose-email.ts'
import { type DeliveryServices, deliverMessage } from './deliver-message.ts'
import { outboxJobs } from './jobs.ts'

const code = '482913'
const link = 'https://desk.example/reset-password?token=eyJhbGciOi.eyJraW5kIjoi.c2lnbmF0dXJl&email=anna%40example.com'
const codeEmail = {
  channel: 'mail',
  kind: 'email-code',
  recipient: 'anna@example.com',
  reader: undefined,
  email: { template: 'email-code', values: { code, 'code.valid_for': 900 } }
} as const
const codeText = {
  channel: 'text',
  kind: 'phone-code',
  recipient: '+49 123 4567',
  content: phoneCodeText({ code, expiresInSeconds: 900 }, 'en')
} as const

describe('e-mails and texts', () => {
  let database: TestDatabase
  let jobs: JobRunner
  let services: DeliveryServices & Pick<Services, 'jobs'>
  let outbox: ReturnType<typeof recordingOutbox>
  before(async () => {
    database = await testDatabase({ connections: 4 })
    jobs = openJobs({ connection: database.connection, log: quiet })
  })
  beforeEach(async () => {
    outbox = recordingOutbox()
    services = {
      config: readConfig({
        BASE_URL: 'https://desk.example',
        MAIL_FROM: 'Desk <desk@desk.example>',
        MAIL_REPLY_TO: 'help@desk.example'
      }),
      db: database.db,
      clock: testClock(),
      realClock: testClock(),
      log: quiet,
      keys: makeKeys(['a secret of thirty-two characters, at least']),
      jobs,
      files: diskFileStore(tmpdir(), aFileOwner()),
      mail: outbox.mail,
      texts: outbox.texts,
      metrics: makeMetrics()
    }
    await database.db.deleteFrom('outbox_messages').execute()
    await sql`delete from pgboss.job`.execute(database.db)
  })
  after(() => database.close())

  const deliver = (options?: { early: boolean }) => jobs.drain(database.db, outboxJobs(services), options)
  const theEmail = () => database.db.selectFrom('outbox_messages').selectAll().executeTakeFirstOrThrow()

  test('an e-mail goes out only when the transaction that posts it commits', async () => {
    const refused = transaction(database.db, async db => {
      await addToOutbox(services, db, codeEmail)
      throw new Error('changed my mind')
    })
    await assert.rejects(refused, /changed my mind/)
    await deliver()
    assert.equal(outbox.emails.length, 0)

    await transaction(database.db, db => addToOutbox(services, db, codeEmail))
    await deliver()
    assert.equal(outbox.emails.length, 1)
  })

  test('what waits in the database, the job included, holds neither code nor link', async () => {
    await addToOutbox(services, database.db, codeEmail)
    await addToOutbox(services, database.db, {
      ...codeEmail,
      kind: 'reset-link',
      email: { template: 'reset-link', values: { 'reset.link': link, 'reset.valid_for': 3600 } }
    })

    const emails = await database.db.selectFrom('outbox_messages').selectAll().execute()
    const waiting = await sql`select * from pgboss.job`.execute(database.db)

    assert.deepEqual(
      emails.map(email => email.state),
      ['queued', 'queued']
    )
    assert.equal(waiting.rows.length, 2)
    assert.doesNotMatch(JSON.stringify([emails, waiting.rows]), /482913|reset-password|eyJhbGciOi/)
  })

  test('a delivered e-mail is sent, says what the other side said, and its content is forgotten', async () => {
    await addToOutbox(services, database.db, { ...codeEmail, requestId: 'request-1' })

    await deliver()

    const { id, created_at, settled_at, ...email } = await theEmail()
    assert.deepEqual(email, {
      channel: 'mail',
      kind: 'email-code',
      recipient: 'anna@example.com',
      client_id: null,
      sealed_content: null,
      state: 'sent',
      attempts: 1,
      last_answer: 'kept as 1',
      request_id: 'request-1'
    })
    assert.ok(settled_at! >= created_at)
    const [{ messageId, date, ...sent }] = outbox.emails as [(typeof outbox.emails)[0]]
    assert.match(messageId, new RegExp(`^<message-${id}\\.[\\w-]{12}@desk\\.example>$`))
    assert.deepEqual(date, created_at)
    const { html, ...rest } = sent
    const { html: body, ...content } = composeEmail(
      renderEmail(codeEmail.email, 'en', { name: 'Support', url: 'https://desk.example' })
    )
    assert.ok(html.includes(body))
    assert.deepEqual(rest, {
      ...content,
      from: 'Desk <desk@desk.example>',
      replyTo: 'help@desk.example',
      to: 'anna@example.com',
      headers: {
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
        'X-Request-Id': 'request-1'
      }
    })
  })

  test('by default e-mails and texts become files that a person can read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deskline-outbox-'))
    services.mail = mailFolder(folder, quiet)
    services.texts = textFolder(folder, quiet)
    await addToOutbox(services, database.db, codeEmail)
    await addToOutbox(services, database.db, codeText)
    await addToOutbox(services, database.db, {
      ...codeEmail,
      kind: 'reset-link',
      email: { template: 'reset-link', values: { 'reset.link': link, 'reset.valid_for': 3600 } }
    })

    await deliver()

    const names = (await readdir(folder)).sort()
    const files = await Promise.all(names.map(name => readFile(join(folder, name), 'utf8')))
    const [email, text, reset] = files as [string, string, string]
    assert.equal(files.length, 3)
    assert.match(email, /^To: anna@example\.com\r$/m)
    assert.match(email, /^Subject: Your verification code\r$/m)
    assert.match(email, /^ *482913\r$/m)
    assert.match(text, /^To: \+49 123 4567\n(.*\n)*.*code is 482913\./)
    assert.ok(reset.split('\r\n').includes(link))
    await rm(folder, { recursive: true })
  })

  test('two workers with the same job at once send one e-mail', async () => {
    await addToOutbox(services, database.db, codeEmail)
    const { id } = await theEmail()
    const first = { number: 1, isLast: false }

    await Promise.all(Array.from({ length: 8 }, () => deliverMessage(services, id, first)))

    assert.equal(outbox.emails.length, 1)
    assert.equal((await theEmail()).state, 'sent')
  })

  test('a job that runs again after its e-mail was sent sends nothing', async () => {
    await addToOutbox(services, database.db, codeEmail)
    const { id } = await theEmail()

    await deliverMessage(services, id, { number: 1, isLast: false })
    await deliverMessage(services, id, { number: 2, isLast: false })

    assert.equal(outbox.emails.length, 1)
  })

  test('an e-mail whose first sender died half-way goes out under the same Message-ID and replaces its file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deskline-outbox-'))
    const folderMail = mailFolder(folder, quiet)
    const ids: string[] = []
    services.mail = {
      async send(message) {
        ids.push(message.messageId)
        await folderMail.send(message)
        if (ids.length === 1) throw new Error('died after sending')
        return 'sent'
      }
    }
    await addToOutbox(services, database.db, codeEmail)

    await deliver()
    await deliver({ early: true })

    assert.equal(ids.length, 2)
    assert.equal(ids[0], ids[1])
    assert.equal((await readdir(folder)).length, 1)
    assert.equal((await theEmail()).state, 'sent')
    await rm(folder, { recursive: true })
  })

  test('an e-mail that cannot be delivered is tried again, then fails for all to see and is forgotten', async () => {
    services.mail = failing(new Error(`connection lost while sending ${code}\n`))
    await addToOutbox(services, database.db, codeEmail)

    const firstTry = await deliver()
    const waiting = await theEmail()
    while ((await deliver({ early: true })).failed > 0);
    const failed = await theEmail()

    assert.deepEqual(firstTry, { completed: 0, failed: 1 })
    assert.deepEqual(
      { state: waiting.state, attempts: waiting.attempts, last_answer: waiting.last_answer },
      { state: 'queued', attempts: 1, last_answer: 'connection lost while sending …' }
    )
    assert.deepEqual(
      { state: failed.state, attempts: failed.attempts, sealed_content: failed.sealed_content },
      { state: 'failed', attempts: 13, sealed_content: null }
    )
    const kept = await sql`select output from pgboss.job`.execute(database.db)
    assert.doesNotMatch(JSON.stringify([failed, kept.rows]), /482913/)
  })

  test('an e-mail that is refused for good fails at once; one that is put off is tried again', async () => {
    services.mail = failing(new PermanentFailure('550 5.1.1 No such user'))
    await addToOutbox(services, database.db, codeEmail)
    await deliver()
    const { state, last_answer, sealed_content, settled_at } = await theEmail()
    assert.deepEqual(
      { state, last_answer, sealed_content },
      { state: 'failed', last_answer: '550 5.1.1 No such user', sealed_content: null }
    )
    assert.ok(settled_at)

    await database.db.deleteFrom('outbox_messages').execute()
    services.mail = failing(new Error('450 4.2.1 Come back later'))
    await addToOutbox(services, database.db, codeEmail)
    await deliver()
    assert.equal((await theEmail()).state, 'queued')
  })

  test('an endless answer is cut to what the table holds', async () => {
    services.mail = failing(new Error(`\0${'so sorry 🙁 '.repeat(200)}`))
    await addToOutbox(services, database.db, codeEmail)

    await deliver()

    assert.match((await theEmail()).last_answer!, /^so sorry 🙁 (so sorry 🙁 ?)+/)
  })

  test('an e-mail sealed by a secret that is gone is not sent', async () => {
    await addToOutbox(services, database.db, codeEmail)
    services.keys = makeKeys(['another secret of thirty-two characters'])

    await deliver()

    assert.equal(outbox.emails.length, 0)
    assert.match((await theEmail()).last_answer!, /does not open with APP_SECRET/)
  })
})

function failing(error: Error): Mail {
  return {
    send: async () => {
      throw error
    }
  }
}
