import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import nodemailer from 'nodemailer'
import PostalMime from 'postal-mime'
import { listenForMail } from '../src/mailbox/listen-for-mail.ts'
import { smtpMail } from '../src/platform/mail/smtp.ts'
import { smtpAddress } from '../src/platform/mail/smtp-address.ts'
import { bootDesk } from './support/desk.ts'
import { aMail } from './support/mails.ts'
import { aClient, anAdmin } from './support/people.ts'
import { nobody, postfix, withoutPostfix } from './support/postfix.ts'
import { root } from './support/program.ts'
import { until } from './support/until.ts'

test('e-mails pass through a real Postfix into a mailbox; whom it does not know fails for good', async context => {
  const reason = withoutPostfix()
  if (reason) return context.skip(reason)
  const { port, folder, log } = await postfix(folder => ({
    main: `virtual_mailbox_domains = mail.example
virtual_mailbox_base = ${folder}/mail
virtual_mailbox_maps = inline:{ anna@mail.example=box/ }
virtual_uid_maps = static:${nobody}
virtual_gid_maps = static:${nobody}`
  }))
  const arrived = join(folder, 'mail', 'box', 'new')
  const mail = smtpMail({ address: smtpAddress(`smtp://127.0.0.1:${port}`) })
  after(() => mail.close())
  const desk = await bootDesk({ services: { mail } })
  const [anna, stranger] = [
    await aClient(desk, { email: 'anna@mail.example' }),
    await aClient(desk, { email: 'stranger@mail.example' })
  ]

  const asked = await desk.post('/api/auth/send-email-verification', anna)
  await desk.post('/api/auth/send-email-verification', stranger)
  await desk.deliver()

  const rows = await desk.db.selectFrom('letters').select(['state', 'last_answer']).orderBy('id').execute()
  await until(async () => existsSync(arrived) && (await readdir(arrived)).length > 0, log)
  const [name] = await readdir(arrived)
  const message = await PostalMime.parse(await readFile(join(arrived, name!)))
  assert.deepEqual(
    rows.map(row => row.state),
    ['sent', 'failed']
  )
  assert.match(rows[0]!.last_answer!, /^250 2\.0\.0 Ok: queued as \w+$/)
  assert.match(rows[1]!.last_answer!, /550 5\.1\.1 <stranger@mail\.example>: Recipient address rejected: User unknown/)
  assert.equal(/\b\d{6}\b/.exec(message.text!)?.[0], asked.data.code)
  assert.match(message.html!, new RegExp(asked.data.code))
})

test('a real Postfix hands e-mails over by LMTP and by its pipe, with the lines of the operations page', async context => {
  const reason = withoutPostfix()
  if (reason) return context.skip(reason)
  const desk = await bootDesk({ connections: 6 })
  const admin = await anAdmin(desk)
  const addresses = { 'support@mail.example': 1, 'support@pipe.example': 1 }
  await desk.post('/api/admin/settings/update', admin, { mail_addresses: addresses })
  desk.services.config = { ...desk.services.config, MAIL_LISTEN: { protocol: 'lmtp', host: '127.0.0.1', port: 0 } }
  const listening = (await listenForMail(desk.services))!
  after(() => listening.stop())
  const piped = await mkdtemp(join(tmpdir(), 'deskline-piped-'))
  after(() => rm(piped, { recursive: true, force: true }))
  const command = join(piped, 'deskline')
  // Notes what it was called with: the desk's database is nobody else's.
  await writeFile(
    command,
    `#!/bin/sh\nprintf '%s\\n' "$@" > ${piped}/$$.words\ncat > ${piped}/$$.tmp\nmv ${piped}/$$.tmp ${piped}/$$.eml\n`
  )
  await chmod(command, 0o755)
  await chmod(piped, 0o755)
  await chown(piped, nobody, nobody)
  const page = await readFile(join(root, 'docs/operations.md'), 'utf8')
  const line = /^ *inbound +unix .*\n.*argv=.*$/m.exec(page)![0]
  const { port, log } = await postfix(() => ({
    main: `virtual_mailbox_domains = mail.example pipe.example
virtual_mailbox_maps =
recipient_delimiter = +
virtual_transport = lmtp:inet:127.0.0.1:${listening.port}
transport_maps = inline:{ pipe.example=inbound: }
inbound_destination_recipient_limit = 1`,
    services: [
      line
        .trim()
        .replace('user=deskline', 'user=nobody')
        .replace('/usr/local/bin/deskline', command)
        .replace(/\n\s*/, '\n  ')
    ]
  }))
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
  after(() => transport.close())

  const raw = aMail({ From: 'ada@example.com', To: 'support@mail.example' })
  await transport.sendMail({ raw, envelope: { from: 'ada@example.com', to: 'support+x1@mail.example' } })
  await transport.sendMail({ raw: aMail(), envelope: { from: 'eve@example.com', to: 'support+x2@pipe.example' } })
  await transport.sendMail({ raw: aMail(), envelope: { from: '', to: 'support@pipe.example' } })

  const stored = () =>
    desk.db.selectFrom('inbound_mails').select(['via', 'state', 'envelope_recipient', 'envelope_sender']).execute()
  await until(async () => (await stored())[0]?.state === 'ticket', log)
  assert.deepEqual(await stored(), [
    { via: 'lmtp', state: 'ticket', envelope_recipient: 'support+x1@mail.example', envelope_sender: 'ada@example.com' }
  ])
  const done = async () => (await readdir(piped)).filter(name => name.endsWith('.eml'))
  await until(async () => (await done()).length === 2, log)
  const words = await Promise.all(
    (await done()).map(name => readFile(join(piped, name.replace('.eml', '.words')), 'utf8'))
  )
  assert.deepEqual(words.toSorted(), [
    'receive\n--recipient\nsupport+x2@pipe.example\n--sender\neve@example.com\n',
    'receive\n--recipient\nsupport@pipe.example\n--sender\n\n'
  ])
  assert.match(await readFile(join(piped, (await done())[0]!), 'utf8'), /The printer is on fire/)
})
