import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { type MailServer, mailServer, saying } from '../../../test/support/mail-server.ts'
import { smsGateway } from '../../../test/support/sms-gateway.ts'
import { phoneCodeText } from '../../core/wording/fill-wording.ts'
import { smtpMail } from '../../platform/mail/smtp.ts'
import { smtpAddress } from '../../platform/mail/smtp-address.ts'
import { smsTexts } from '../../platform/texts/sms.ts'
import { smsAddress } from '../../platform/texts/sms-address.ts'
import { addToOutbox } from './add-to-outbox.ts'
import { deliverMessage } from './deliver-message.ts'

const desk = await bootDesk({ connections: 4 })
const code = { code: '482913', expiresInSeconds: 900 }
const message = {
  kind: 'email-code',
  channel: 'mail',
  recipient: 'anna@example.com',
  reader: undefined,
  email: { template: 'email-code', values: { code: code.code, 'code.valid_for': 900 } }
} as const
const text = {
  kind: 'phone-code',
  channel: 'text',
  recipient: '020 555 1001',
  content: phoneCodeText(code, 'en')
} as const

/** Posts an e-mail that goes to this server. */
async function posted(server: Pick<MailServer, 'port'>, { login = '', timeoutMilliseconds = 20_000 } = {}) {
  const mail = smtpMail({ address: smtpAddress(`smtp://${login}127.0.0.1:${server.port}`), timeoutMilliseconds })
  after(() => mail.close())
  desk.services.mail = mail
  await addToOutbox(desk.services, desk.db, message)
}

async function theEmail() {
  const columns = ['id', 'state', 'attempts', 'last_answer', 'sealed_content'] as const
  return await desk.db.selectFrom('outbox_messages').select(columns).executeTakeFirstOrThrow()
}

describe('e-mails and texts to servers', () => {
  beforeEach(async () => {
    await desk.db.deleteFrom('outbox_messages').execute()
    await sql`delete from pgboss.job`.execute(desk.db)
  })

  test('an e-mail that a mail server takes is sent, with what the server said', async () => {
    const server = await mailServer()
    await posted(server)

    await desk.deliver()

    const { state, last_answer } = await theEmail()
    assert.deepEqual([state, last_answer], ['sent', '250 2.0.0 Ok: kept as 1'])
    assert.match(server.emails[0]!.email.text!, /^ +482913$/m)
    assert.match(server.emails[0]!.email.html!, />482913</)
  })

  test('a recipient whom the server does not know is tried once', async () => {
    const server = await mailServer({
      onRcptTo: (_address, _session, answer) => answer(saying(550, '5.1.1 No such user'))
    })
    await posted(server)

    await desk.deliver()

    const { state, attempts, last_answer, sealed_content } = await theEmail()
    assert.deepEqual([state, attempts, sealed_content], ['failed', 1, null])
    assert.match(last_answer!, /550 5\.1\.1 No such user/)
  })

  test('an e-mail that the server puts off waits, is tried again and sent', async () => {
    const server = await mailServer()
    let tries = 0
    server.onEmail = () => {
      if (++tries < 3) throw saying(451, '4.3.0 Come back later')
    }
    await posted(server)

    await desk.deliver()
    const waiting = await theEmail()
    await desk.deliver({ early: true })
    await desk.deliver({ early: true })

    const { state, attempts } = await theEmail()
    assert.equal(waiting.state, 'queued')
    assert.match(waiting.last_answer!, /451 4\.3\.0 Come back later/)
    assert.deepEqual([state, attempts, server.emails.length], ['sent', 3, 1])
  })

  test('a wrong password of ours costs no e-mail: it waits until the operator has mended that', async () => {
    const server = await mailServer({ authOptional: false, allowInsecureAuth: true, hideSTARTTLS: true })
    await posted(server, { login: 'desk:old@' })

    await desk.deliver()
    const waiting = await theEmail()
    const mended = smtpMail({ address: smtpAddress(`smtp://desk:s3cret@127.0.0.1:${server.port}`) })
    after(() => mended.close())
    desk.services.mail = mended
    await desk.deliver({ early: true })

    assert.equal(waiting.state, 'queued')
    assert.match(waiting.last_answer!, /535 5\.7\.8/)
    assert.equal((await theEmail()).state, 'sent')
  })

  test('a server that does not answer, or is not there, costs no e-mail either', async () => {
    const server = await mailServer({ onRcptTo() {} })
    await posted(server, { timeoutMilliseconds: 300 })

    await desk.deliver()
    const unanswered = await theEmail()
    await server.close()
    await desk.deliver({ early: true })

    const { state, attempts, last_answer } = await theEmail()
    assert.match(unanswered.last_answer!, /Timeout|took more than 0\.3 seconds/)
    assert.deepEqual([state, attempts], ['queued', 2])
    assert.match(last_answer!, /ECONNREFUSED/)
  })

  test('who dies between sending and recording leaves an e-mail that goes out again under the same Message-ID, and is sent once in the records', async () => {
    const server = await mailServer()
    await posted(server)
    const { id } = await theEmail()
    const { mail } = desk.services
    const dying = {
      async send(...words: Parameters<typeof mail.send>) {
        await mail.send(...words)
        return await new Promise<string>(() => {})
      }
    }

    void deliverMessage({ ...desk.services, mail: dying }, id, { number: 1, isLast: false })
    while (server.emails.length === 0) await new Promise(resolve => setImmediate(resolve))
    await deliverMessage(desk.services, id, { number: 2, isLast: false })

    const ids = server.emails.map(each => each.email.messageId)
    assert.equal(ids.length, 2)
    assert.equal(ids[0], ids[1])
    assert.equal((await theEmail()).state, 'sent')
  })

  test('a text that the gateway refuses is tried once; one that it cannot take now comes again with the same key', async () => {
    const gateway = await smsGateway()
    const address = smsAddress(`http://${gateway.host}/`)
    desk.services.texts = smsTexts({ address, secret: 's'.repeat(32), defaultCountry: 'NL', clock: desk.clock })
    let status = 503
    gateway.answer = response => void response.writeHead(status).end('{"to":"+31205551001","said":"482913"}')
    await addToOutbox(desk.services, desk.db, text)

    await desk.deliver()
    const waiting = await theEmail()
    status = 400
    await desk.deliver({ early: true })

    const { state, attempts, last_answer } = await theEmail()
    const keys = new Set(gateway.requests.map(({ headers }) => headers['idempotency-key']))
    assert.deepEqual([waiting.state, waiting.last_answer], ['queued', '503 {"to":"+31205551001","said":"…"}'])
    assert.deepEqual([state, attempts, last_answer], ['failed', 2, '400 {"to":"+31205551001","said":"…"}'])
    assert.deepEqual([gateway.requests.length, keys.size], [2, 1])
  })

  test('a text to what is no number fails with a reason and reaches no gateway', async () => {
    const gateway = await smsGateway()
    desk.services.texts = smsTexts({
      address: smsAddress(`http://${gateway.host}/`),
      secret: 's'.repeat(32),
      clock: desk.clock
    })
    await addToOutbox(desk.services, desk.db, text)

    await desk.deliver()

    const { state, last_answer } = await theEmail()
    assert.equal(state, 'failed')
    assert.match(last_answer!, /No text can be sent to this number: it lacks a country code/)
    assert.equal(gateway.requests.length, 0)
  })
})
