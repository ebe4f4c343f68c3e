import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { imapServer } from '../../../../test/support/imap-server.ts'
import { mailServer } from '../../../../test/support/mail-server.ts'
import { aMailbox, localMailServers, receivesFrom, serverAt } from '../../../../test/support/mailboxes.ts'
import { anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { makeKeys } from '../../../core/keys.ts'
import { mailboxSecrets, resealMailboxSecrets } from '../../../mail/mailboxes/connected-mailboxes.ts'
import { signatureOfMailbox } from '../../../mail/mailboxes/signature-of-mailbox.ts'

const desk = await bootDesk({ connections: 4, config: { IMAP_URL: [], ...localMailServers } })
const admin = await anAdmin(desk)
const plain = { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }
const base = '/api/admin/mail/mailboxes'
afterEach(async () => void (await desk.db.deleteFrom('connected_mailboxes').execute()))

test('a mailbox is saved before it works, and its secrets never come back', async () => {
  const mailbox = await aMailbox(desk, admin, {
    imap: { host: 'imap.example.com', password: 'imap s3cret' },
    smtp: { host: 'smtp.example.com', password: 'smtp s3cret' },
    signature: { en: 'Kind regards', de: 'Viele Grüße' }
  })

  assert.deepEqual(
    [mailbox.state, mailbox.last_error, mailbox.version, mailbox.imap.port, mailbox.smtp.port, mailbox.smtp.security],
    ['starting', null, 1, 993, 587, 'starttls']
  )
  assert.deepEqual([mailbox.imap.has_password, mailbox.imap.user], [1, 'support@box.example'])
  const listed = await desk.post(`${base}/list`, admin, {})
  const shown = await desk.post(`${base}/detail`, admin, { id: mailbox.id })
  assert.equal(listed.data.mailboxes[0].id, mailbox.id)
  assert.doesNotMatch(JSON.stringify([mailbox, listed.body, shown.body]), /s3cret/)
  const row = await desk.db.selectFrom('connected_mailboxes').selectAll().executeTakeFirstOrThrow()
  assert.doesNotMatch(JSON.stringify(row), /s3cret/)
  assert.deepEqual(await signatureOfMailbox(desk.db, 'Support+t1-x@box.example'), mailbox.signature)
})

test('secrets that are left out stay, and are sent to no other server than before', async () => {
  const { id, version } = await aMailbox(desk, admin, { imap: { host: 'imap.example.com', password: 'kept' } })
  const secrets = async () =>
    mailboxSecrets(
      desk.services.keys,
      await desk.db.selectFrom('connected_mailboxes').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
    )

  const changed = await desk.post(`${base}/update`, admin, {
    id,
    imap: { host: 'imap.example.com', port: 1993, folder: 'Desk' },
    expected_version: version
  })
  assert.deepEqual([changed.status, changed.data.mailbox.version, changed.data.mailbox.imap.folder], [200, 2, 'Desk'])
  assert.equal((await secrets()).imap_password, 'kept')

  const elsewhere = await desk.post(`${base}/update`, admin, { id, imap: { host: 'evil.example.com' } })
  assert.deepEqual([elsewhere.status, elsewhere.body.errors], [400, ['imap.password']])
  const stale = await desk.post(`${base}/update`, admin, { id, name: 'Anew', expected_version: 1 })
  assert.deepEqual([stale.status, stale.body.reason], [409, 'version_conflict'])
  const same = await desk.post(`${base}/update`, admin, { id, name: 'Example Support' })
  assert.equal(same.data.mailbox.version, 2)

  const keys = makeKeys(['a new secret of thirty-two characters!', 'a secret of thirty-two characters, at least'])
  assert.equal(await resealMailboxSecrets({ db: desk.db, keys }), 1)
  assert.equal(await resealMailboxSecrets({ db: desk.db, keys }), 0)
  await desk.db
    .updateTable('connected_mailboxes')
    .set({ sealed_secrets: desk.services.keys.seal('connected mailbox', '{}') })
    .execute()
})

test('a server that is added later gets neither the saved password of another host nor its sign-in', async () => {
  const { id } = await aMailbox(desk, admin, { imap: { host: 'imap.example.com', password: 'kept' } })
  const add = async (smtp: object) => await desk.post(`${base}/update`, admin, { id, smtp })

  const elsewhere = await add({ host: 'evil.example.com' })
  assert.deepEqual([elsewhere.status, elsewhere.body.errors], [400, ['smtp.password']])
  const oauth = { provider: 'google', client_id: 'desk-client' }
  const smtp = { host: 'evil.example.com' }
  assert.equal((await desk.post(`${base}/update`, admin, { id, auth: 'oauth2', oauth, smtp })).status, 200)
  assert.equal((await desk.post(`${base}/update`, admin, { id, auth: 'password' })).status, 400)
  const same = { id, auth: 'password', smtp: { host: 'imap.example.com', password: 'kept' } }
  assert.equal((await desk.post(`${base}/update`, admin, same)).status, 200)
  assert.equal((await desk.post(`${base}/update`, admin, { id, smtp: null })).status, 200)
  assert.equal((await add({ host: 'smtp.example.com', password: 'its own' })).status, 200)

  const { keys } = desk.services
  const signedIn = await aMailbox(desk, admin, {
    address: 'signed-in@box.example',
    imap: { host: 'imap.example.com' },
    auth: 'oauth2',
    oauth: { provider: 'google', client_id: 'desk-client', client_secret: 'of-the-client' }
  })
  const row = desk.db.selectFrom('connected_mailboxes').where('id', '=', signedIn.id).select('sealed_secrets')
  await desk.db
    .updateTable('connected_mailboxes')
    .where('id', '=', signedIn.id)
    .set({ sealed_secrets: keys.seal('connected mailbox', JSON.stringify({ refresh_token: 'r3fresh' })) })
    .execute()
  await desk.post(`${base}/update`, admin, { id: signedIn.id, smtp: { host: 'evil.example.com' } })
  assert.equal(mailboxSecrets(keys, await row.executeTakeFirstOrThrow()).refresh_token, undefined)
})

test('a test receives back only what a test has sent: an e-mail of a customer stays where it is', async () => {
  const imap = await imapServer()
  const mail = imap.deliver('From: a@people.example\r\nMessage-ID: <theirs@people.example>\r\n\r\nHelp\r\n')
  const { id } = await aMailbox(desk, admin, receivesFrom(imap))

  const { data } = await desk.post(`${base}/test`, admin, { id, steps: ['receive'], sent: '<theirs@people.example>' })

  assert.match(data.steps[0].sentence, /Nothing was sent/)
  assert.equal(mail.flags.size, 0)
})

test('what cannot be a mailbox is refused by its field, and nothing is written', async () => {
  await aMailbox(desk, admin, { imap: { host: 'imap.example.com' } })
  const imap = { host: 'imap.example.com' }
  const refused: [object, number, string[]][] = [
    [{ imap: undefined }, 400, ['imap']],
    [{ imap, deptid: 999 }, 400, ['deptid']],
    [{ imap: { host: 'http://imap' } }, 400, ['imap']],
    [{ imap: { ...imap, port: 70_000 } }, 400, ['imap']],
    [{ imap, auth: 'oauth2' }, 400, ['oauth']],
    [{ imap, auth: 'oauth2', oauth: { provider: 'custom', client_id: 'x' } }, 400, ['oauth.authorize_url']],
    [{ imap, taken: 'move' }, 400, ['moved_to']],
    [{ imap: { ...imap, certificate: 'none' } }, 400, ['imap.certificate']],
    [{ imap, address: 'SUPPORT+x@box.example' }, 409, ['address']],
    [{ imap, address: 'nobody' }, 400, ['address']]
  ]

  for (const [given, status, errors] of refused) {
    const body = { name: 'Support', address: 'other@box.example', deptid: 1, ...given }
    const reply = await desk.post(`${base}/create`, admin, body)
    assert.deepEqual([reply.status, reply.body.errors], [status, errors], JSON.stringify([given, reply.body]))
  }
  assert.equal((await desk.post(`${base}/list`, admin, {})).data.count, 1)
  assert.equal((await desk.post(`${base}/list`, await aSupporter(desk), {})).status, 403)
})

test('a department has one default sender, whoever was it before', async () => {
  const imap = { host: 'imap.example.com' }
  const first = await aMailbox(desk, admin, { address: 'one@box.example', imap, is_default: 1 })
  const second = await aMailbox(desk, admin, { address: 'two@box.example', imap, is_default: 1 })

  const { mailboxes } = (await desk.post(`${base}/list`, admin, {})).data
  assert.deepEqual(
    mailboxes.map(({ id, is_default }: { id: number; is_default: number }) => [id, is_default]),
    [
      [first.id, 0],
      [second.id, 1]
    ]
  )
})

test('the test connects, logs in, lists, sends to itself and receives that back, and none of it becomes a ticket', async () => {
  const [imap, smtp] = [await imapServer(), await mailServer(plain)]
  smtp.onEmail = ({ raw }) => void imap.deliver(raw)
  const { id } = await aMailbox(desk, admin, { ...receivesFrom(imap), smtp: serverAt(smtp.port) })

  const { data } = await desk.post(`${base}/test`, admin, { id })

  assert.deepEqual(
    data.steps.map(({ step, is_ok }: { step: string; is_ok: number }) => [step, is_ok]),
    ['connect', 'log_in', 'list', 'send', 'receive'].map(step => [step, 1]),
    JSON.stringify(data)
  )
  assert.equal(data.is_usable, 1)
  assert.deepEqual(smtp.emails[0]!.to, ['support+test@box.example'])
  assert.match(data.steps[2].sentence, /^INBOX holds 0 mails, of which 0 are unread/)
  assert.equal((await desk.db.selectFrom('tickets').select('id').execute()).length, 0)
  assert.deepEqual([...imap.folders.get('INBOX')![0]!.flags], ['\\Seen'])
})

test('the step that fails says what is wrong in a sentence, and the ones after it are not tried', async () => {
  const [imap, smtp] = [await imapServer(), await mailServer(plain)]
  const box = await aMailbox(desk, admin, { ...receivesFrom(imap, { password: 'n0tThat' }), smtp: serverAt(smtp.port) })
  const { id } = box
  const tried = async (change: object, test: object = {}) => {
    const reply = await desk.post(`${base}/update`, admin, { id, ...change })
    assert.equal(reply.status, 200, reply.body.message)
    const { data } = await desk.post(`${base}/test`, admin, { id, ...test })
    return data.steps.at(-1)
  }

  const wrong = await tried({})
  assert.deepEqual([wrong.step, wrong.reason_code], ['log_in', 'login_refused'])
  assert.match(wrong.sentence, /refuses the login of desk/)
  const nobody = await tried({ imap: serverAt(1) })
  assert.deepEqual([nobody.step, nobody.reason_code], ['connect', 'connection_refused'])
  const folder = await tried(receivesFrom(imap, { folder: 'Nowhere' }))
  assert.deepEqual([folder.step, folder.reason_code], ['list', 'folder_missing'])
  const unsafe = await tried({ imap: serverAt(imap.securePort, { host: '127.0.0.1', security: 'tls' }) })
  assert.deepEqual([unsafe.step, unsafe.reason_code], ['connect', 'bad_certificate'])
  assert.match(unsafe.certificate.fingerprint, /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
  const trusted = await tried(
    { imap: serverAt(imap.securePort, { security: 'tls', certificate: unsafe.certificate.pem, folder: 'INBOX' }) },
    { steps: ['connect', 'log_in', 'list'] }
  )
  assert.deepEqual([trusted.step, trusted.is_ok], ['list', 1], JSON.stringify(trusted))
  const refused = await tried({ ...receivesFrom(imap), smtp: serverAt(smtp.port, { password: 'n0tThat' }) })
  assert.deepEqual([refused.step, refused.reason_code], ['send', 'login_refused'], JSON.stringify(refused))
  const inside = await tried({ imap: { host: '10.0.0.1', port: 1, password: 'n0tThat' } })
  assert.deepEqual([inside.step, inside.reason_code], ['connect', 'private_host'])
  const never = (await desk.post(`${base}/test`, admin, { id, steps: ['receive'] })).data.steps
  assert.match(never[0].sentence, /Nothing was sent/)
  assert.doesNotMatch(JSON.stringify([wrong, nobody, folder, unsafe, refused, inside]), /n0tThat|s3cret/)
})

test('the provider of an address is found by its domain, and the ten have their servers', async () => {
  const { data } = await desk.post(`${base}/presets`, admin, { address: 'shop@gmx.de' })

  assert.deepEqual([data.presets.length, data.found], [10, 'gmx'])
  assert.deepEqual(data.presets.find(({ provider }: { provider: string }) => provider === 'gmx').imap, {
    host: 'imap.gmx.net',
    port: 993,
    security: 'tls'
  })
  assert.match(data.callback_url, /\/api\/mail\/oauth\/callback$/)
})
