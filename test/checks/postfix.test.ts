import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import nodemailer from 'nodemailer'
import PostalMime from 'postal-mime'
import { makeKeys } from '../../src/core/keys.ts'
import { listenForMail } from '../../src/intake/mailbox/listen-for-mail.ts'
import { smtpMail } from '../../src/platform/mail/smtp.ts'
import { smtpAddress } from '../../src/platform/mail/smtp-address.ts'
import { bootDesk, type Desk } from '../support/desk.ts'
import { aMail } from '../support/mails.ts'
import { aClient, anAdmin } from '../support/people.ts'
import { postfix, unprivilegedUserId, whyNoPostfix } from '../support/postfix.ts'
import { root } from '../support/program.ts'
import { until } from '../support/until.ts'

const secret = 'the secret of a desk whose commands run as nobody'

test('e-mails pass through a real Postfix into a mailbox; whom it does not know fails for good', async context => {
  const reason = whyNoPostfix()
  if (reason) return context.skip(reason)
  const { port, folder, log } = await postfix(folder => ({
    main: `virtual_mailbox_domains = mail.example
virtual_mailbox_base = ${folder}/mail
virtual_mailbox_maps = inline:{ anna@mail.example=box/ }
virtual_uid_maps = static:${unprivilegedUserId}
virtual_gid_maps = static:${unprivilegedUserId}`
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

  const rows = await desk.db.selectFrom('outbox_messages').select(['state', 'last_answer']).orderBy('id').execute()
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
  const reason = whyNoPostfix()
  if (reason) return context.skip(reason)
  const desk = await bootDesk({ connections: 6, services: { keys: makeKeys([secret]) } })
  const admin = await anAdmin(desk)
  const addresses = { 'support@mail.example': 1, 'support@pipe.example': 1 }
  await desk.post('/api/admin/settings/update', admin, { mail_addresses: addresses })
  desk.services.config = { ...desk.services.config, MAIL_LISTEN: { protocol: 'lmtp', host: '127.0.0.1', port: 0 } }
  const listening = (await listenForMail(desk.services))!
  after(() => listening.stop())
  const { command, settings } = await packagedCommand(desk)
  const page = await readFile(join(root, 'docs/operations.md'), 'utf8')
  const line = /^ *inbound +unix .*\n.*argv=.*$/m.exec(page)![0]
  const { port, log } = await postfix(() => ({
    main: `virtual_mailbox_domains = mail.example pipe.example
virtual_mailbox_maps =
recipient_delimiter = +
virtual_transport = lmtp:inet:127.0.0.1:${listening.port}
smtpd_recipient_restrictions = reject_unauth_destination, reject_unverified_recipient
unverified_recipient_reject_code = 550
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
  await transport
    .sendMail({ raw, envelope: { from: 'ada@example.com', to: 'support+x1@mail.example' } })
    .catch(async error => assert.fail(`${error} ${await log()}`))
  await transport.sendMail({ raw: aMail(), envelope: { from: 'eve@example.com', to: 'support+x2@pipe.example' } })
  await transport.sendMail({ raw: aMail(), envelope: { from: '', to: 'support@pipe.example' } })

  const stored = () =>
    desk.db
      .selectFrom('inbound_mails')
      .select(['via', 'state', 'envelope_recipient as to', 'envelope_sender as from'])
      .orderBy('via', 'desc')
      .orderBy('envelope_sender', 'desc')
      .execute()
  await assert.rejects(
    transport.sendMail({ raw, envelope: { from: 'ada@example.com', to: 'nobody-here@mail.example' } }),
    /550 5\.1\.1 <nobody-here@mail\.example>: Recipient address rejected: undeliverable address: .*No such address here/
  )
  // Two programs start for it.
  await until(async () => (await stored()).filter(({ state }) => state === 'ticket').length === 3, log, 120)
  assert.deepEqual(await stored(), [
    { via: 'lmtp', state: 'ticket', to: 'support+x1@mail.example', from: 'ada@example.com' },
    { via: 'command', state: 'ticket', to: 'support+x2@pipe.example', from: 'eve@example.com' },
    { via: 'command', state: 'ticket', to: 'support@pipe.example', from: '' }
  ])

  // Settings that somebody is just mending send nothing back to its sender.
  await writeFile(settings, 'nonsense\n')
  await transport.sendMail({ raw: aMail(), envelope: { from: 'bob@example.com', to: 'support@pipe.example' } })
  await until(async () => /status=deferred/.test(await log()), log, 60)
  assert.doesNotMatch(await log(), /status=bounced/)
})

/** The command of an installation by systemd, for this desk and the user nobody. */
async function packagedCommand(desk: Desk): Promise<{ command: string; settings: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'deskline-packaged-'))
  after(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const [command, settings, data] = [join(folder, 'deskline'), join(folder, 'deskline.env'), join(folder, 'data')]
  await mkdir(data)
  const script = await readFile(join(root, 'packaging/deskline-command'), 'utf8')
  const here = [
    ['/etc/deskline/deskline.env', settings],
    ['/opt/deskline', root],
    ['/usr/bin/node', process.execPath],
    ['= deskline ]', '= nobody ]']
  ] as const
  await writeFile(
    command,
    here.reduce((text, [there, own]) => text.replaceAll(there, own), script)
  )
  const lines = {
    NODE_ENV: 'test',
    DATA_DIR: data,
    DATABASE_URL: await urlForAll(desk),
    APP_SECRET: secret
  }
  await writeFile(
    settings,
    Object.entries(lines)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join('')
  )
  for (const path of [settings, data]) await chown(path, unprivilegedUserId, unprivilegedUserId)
  await chmod(command, 0o755)
  await chmod(settings, 0o600)
  return { command, settings }
}

/** The desk's database where users reach it who may not look into our folders. */
async function urlForAll({ connection }: Desk): Promise<string> {
  if (typeof connection === 'string') return connection
  const { host, port, user, database } = connection
  const server = createServer(client => {
    const socket = connect(join(host, `.s.PGSQL.${port}`))
    client.on('error', () => socket.destroy()).pipe(socket)
    socket.on('error', () => client.destroy()).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return `postgres://${user}@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`
}
