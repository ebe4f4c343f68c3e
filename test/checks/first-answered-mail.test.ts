import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import nodemailer from 'nodemailer'
import PostalMime from 'postal-mime'
import { keepFetching } from '../../src/intake/mailbox/keep-fetching.ts'
import { routedMail } from '../../src/mail/mailboxes/routed-mail.ts'
import { bootDesk } from '../support/desk.ts'
import { dovecot, whyNoDovecot } from '../support/dovecot.ts'
import { certificatePath, keyPath } from '../support/mail-server.ts'
import { aMailbox, localMailServers } from '../support/mailboxes.ts'
import { aMail } from '../support/mails.ts'
import { anAdmin } from '../support/people.ts'
import { postfix, unprivilegedUserId, whyNoPostfix } from '../support/postfix.ts'
import { until } from '../support/until.ts'

const base = '/api/admin/mail/mailboxes'
const address = 'support@mail.example'

test('an address of a real Postfix and Dovecot goes from nothing to a first answered e-mail, and its answer comes back', async context => {
  const reason = whyNoPostfix() ?? whyNoDovecot()
  if (reason) return context.skip(reason)
  const { securePort, loginPort, mail, filesOf, log: readLog } = await dovecot()
  const { port, log: sendLog } = await postfix(() => ({
    main: `virtual_mailbox_domains = mail.example
virtual_mailbox_base = ${mail}
virtual_mailbox_maps = inline:{ ${address}=support/, anna@mail.example=anna/ }
virtual_uid_maps = static:${unprivilegedUserId}
virtual_gid_maps = static:${unprivilegedUserId}
recipient_delimiter = +
smtpd_tls_cert_file = ${certificatePath}
smtpd_tls_key_file = ${keyPath}
smtpd_tls_security_level = may
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:${loginPort}
smtpd_tls_auth_only = yes`,
    services: ['tlsmgr unix - - n 1000? 1 tlsmgr']
  }))
  const logs = async () => `${await readLog()}\n${await sendLog()}`
  const desk = await bootDesk({
    connections: 8,
    config: { IMAP_URL: [], NOTIFICATION_DELAY_SECONDS: 0, ...localMailServers }
  })
  const routed = routedMail(desk.services, { mail: desk.services.mail, isServer: false })
  after(() => routed.close())
  Object.assign(desk.services, { mail: routed })
  const admin = await anAdmin(desk)
  const server = (port: number, security: string) => ({
    host: 'localhost',
    port,
    security,
    user: 'support',
    password: 's3cret'
  })

  // Connect: nobody knows the certificate, so it is shown, and then trusted as it is.
  const { id } = await aMailbox(desk, admin, {
    address,
    imap: server(securePort, 'tls'),
    smtp: server(port, 'starttls')
  })
  const unknown = (await desk.post(`${base}/test`, admin, { id })).data.steps.at(-1)
  assert.deepEqual([unknown.step, unknown.reason_code], ['connect', 'bad_certificate'], await logs())
  const certificate = unknown.certificate.pem
  await desk.post(`${base}/update`, admin, {
    id,
    imap: { ...server(securePort, 'tls'), certificate },
    smtp: { ...server(port, 'starttls'), certificate }
  })
  const walked = (await desk.post(`${base}/test`, admin, { id })).data
  assert.deepEqual(
    walked.steps.map(({ step, is_ok }: { step: string; is_ok: number }) => [step, is_ok]),
    ['connect', 'log_in', 'list', 'send', 'receive'].map(step => [step, 1]),
    `${JSON.stringify(walked.steps)} ${await logs()}`
  )

  // A customer writes, and somebody answers.
  const end = new AbortController()
  const fetching = keepFetching(desk.services, end.signal)
  after(async () => {
    end.abort()
    await fetching
  })
  const customer = nodemailer.createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
  after(() => customer.close())
  const write = (to: string, more: Record<string, string>, body: string) =>
    customer.sendMail({
      raw: aMail({ From: 'Anna <anna@mail.example>', To: to, ...more }, body),
      envelope: { from: 'anna@mail.example', to }
    })
  const tickets = () => desk.db.selectFrom('tickets').select(['id', 'subject']).execute()
  await write(address, { Subject: 'The printer burns' }, 'Help!\n')
  await until(async () => (await tickets()).length === 1, logs, 60)
  const [ticket] = await tickets()
  const replied = await desk.post('/api/admin/tickets/reply', admin, {
    id: ticket!.id,
    message: 'Please pour water on it.'
  })
  assert.equal(replied.status, 201, replied.body.message)
  await desk.deliver()
  const answerIn = async () => {
    for (const name of await filesOf('anna', 'new')) {
      const email = await PostalMime.parse(await readFile(join(mail, 'anna/new', name)))
      if (email.text?.includes('Please pour water on it.')) return email
    }
    return undefined
  }
  await until(async () => (await answerIn()) !== undefined, logs, 60)
  const answer = (await answerIn())!

  assert.equal(answer.from?.address, address)
  // The customer answers that: by the reply address it is the same ticket.
  const replyTo = answer.replyTo![0]!.address!
  assert.match(replyTo, /^support\+.+@mail\.example$/)
  await write(
    replyTo,
    { Subject: `Re: ${answer.subject}`, 'In-Reply-To': answer.messageId! },
    'It is out. Thank you!\n'
  )
  const messages = () =>
    desk.db.selectFrom('ticket_messages').select('message').where('ticket_id', '=', ticket!.id).orderBy('id').execute()
  await until(async () => (await messages()).length === 3, logs, 60)
  assert.deepEqual([(await tickets()).length, (await messages()).at(-1)!.message], [1, 'It is out. Thank you!'])
  const log = (await desk.post('/api/admin/mail/log/list', admin, {})).data.mails
  const became = new Set(log.map(({ direction, outcome }: Record<string, string>) => `${direction} ${outcome}`))
  // Beside them its server may have said that it has delivered what was sent.
  assert.deepEqual(
    ['in reply', 'in ticket'].filter(each => !became.has(each)),
    []
  )
  assert.ok(became.has('out sent') || became.has('out delivered'))
})
