import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { imapServer } from '../../../../test/support/imap-server.ts'
import { aMail, receiverOf } from '../../../../test/support/mails.ts'
import { anAdmin } from '../../../../test/support/people.ts'
import { secondsAfter } from '../../../lib/time.ts'
import { checkIncomingMail, checkMailboxes } from '../../../operation/cli/doctor-mail.ts'
import { imapAddresses } from '../../../platform/mail/imap-address.ts'
import { leaseMailbox, recordFailure, recordFetch } from '../../mailbox/mailboxes.ts'
import { watchMails } from '../../mailbox/watch-mails.ts'

const server = await imapServer()
const desk = await bootDesk({ connections: 4, config: { IMAP_URL: [] } })
const admin = await anAdmin(desk)
const [list, probe] = ['/api/admin/mail/mailboxes/list', '/api/admin/mail/mailboxes/test']

async function all<T>(found: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const each of found) list.push(each)
  return list
}

/** As if the operator had named these mailboxes. */
function use(...urls: string[]): string[] {
  const IMAP_URL = imapAddresses(urls.join(' '))
  Object.assign(desk.services.config, { IMAP_URL })
  return IMAP_URL.map(({ name }) => name)
}

test('a test logs in, opens the folder and answers one sentence, never with the password', async () => {
  server.deliver(aMail())
  const at = `127.0.0.1:${server.port}`
  const [good, wrong, folder, nobody, plain] = use(
    `imap://desk:s3cret@${at}/INBOX`,
    `imap://other:t0ps3cret@${at}/INBOX`,
    `imap://desk:s3cret@${at}/Nowhere`,
    'imap://desk:s3cret@127.0.0.1:1/INBOX',
    `imap://desk:s3cret@${at}/INBOX2?tls=required`
  )
  const tried = async (name: string | undefined) => (await desk.post(probe, admin, { name })).data

  assert.deepEqual(await tried(good), {
    name: good,
    is_usable: 1,
    result: '127.0.0.1 lets desk in: INBOX holds 1 mails, of which 1 are unread',
    reason_code: null,
    said: null,
    total_mails: 1,
    unread_mails: 1,
    steps: [],
    sent: null
  })
  const reasons = await Promise.all([wrong, folder, nobody, plain].map(async name => (await tried(name)).reason_code))
  assert.deepEqual(reasons, ['login_refused', 'folder_missing', 'connection_refused', 'bad_certificate'])
  assert.match((await tried(wrong)).result, /^127\.0\.0\.1 refuses the login of other: the user name or the password/)
  assert.match((await tried(folder)).result, /^There is no folder Nowhere/)
  assert.equal((await tried(nobody)).result, 'Nobody answers at 127.0.0.1:1')
  assert.match((await tried(plain)).result, /^The certificate of 127\.0\.0\.1 cannot be trusted/)
  const unknown = await desk.post(probe, admin, { name: 'imap://desk@elsewhere/INBOX' })
  assert.deepEqual([unknown.status, unknown.body.reason], [404, 'mailbox_not_found'])
  const doctor = await all(checkMailboxes(desk.services.config))
  assert.deepEqual(
    doctor.map(({ verdict }) => verdict),
    ['ok', 'fail', 'fail', 'fail', 'fail']
  )
  assert.doesNotMatch(JSON.stringify([await tried(good), await tried(wrong), doctor]), /s3cret/)
  assert.equal(server.folders.get('INBOX')![0]!.flags.size, 0)
})

test('the list says how each mailbox stands, and what came by each way; doctor and metrics say the same', async () => {
  const names = use(
    'imaps://a:s3cret@imap.example/INBOX',
    'imaps://b%40x.example:s3cret@imap.example/Help?taken=move:Done'
  )
  const [working, failing] = names as [string, string]
  const { db, clock } = desk
  const now = clock.now()
  for (const name of names) await leaseMailbox(db, { name, holder: crypto.randomUUID(), now })
  await recordFetch(db, { name: working, now, unread: 2, oldest: secondsAfter(now, -90), hasTaken: true })
  const failure = { error: 'Nobody answers at imap.example:993', reason: 'connection_refused', said: null } as const
  await recordFailure(db, { ...failure, name: failing, now: secondsAfter(now, -60) })
  await receiverOf(desk)('From: nobody\n\nx\n')

  const { data } = await desk.post(list, admin, {})
  const [first, second] = data.mailboxes
  assert.deepEqual(
    [first.state, first.user, first.folder, first.unread_mails, first.lag_seconds >= 90, first.failing_since],
    ['working', 'a', 'INBOX', 2, true, null]
  )
  assert.deepEqual(
    [second.state, second.user, second.taken, second.moved_to, second.lag_seconds >= 60, second.last_error],
    ['failing', 'b@x.example', 'move', 'Done', true, 'Nobody answers at imap.example:993']
  )
  assert.deepEqual([second.last_error_code, second.last_error_said, second.port], ['connection_refused', null, 993])
  const ways = data.ways.map((way: Record<string, unknown>) => [way.via, way.is_open, way.held_mails])
  assert.deepEqual(ways, [
    ['command', 1, 1],
    ['lmtp', 0, 0],
    ['smtp', 0, 0],
    ['imap', 1, 0],
    ['api', 0, 0]
  ])
  assert.doesNotMatch(JSON.stringify(data), /s3cret/)

  watchMails(desk.services)
  const metrics = await desk.services.metrics.registry.metrics()
  assert.match(metrics, /^deskline_inbound_mails\{via="command",state="held"\} 1$/m)
  assert.ok(metrics.includes(`deskline_mailbox_up{mailbox="${working}"} 1`), metrics)
  assert.match(metrics, /^deskline_mailbox_lag_seconds\{mailbox="imaps:\/\/b%40x.example@imap.example\/Help"\} \d\d/m)
  const found = await all(checkIncomingMail(desk.services.config, db, clock))
  assert.deepEqual(
    found.map(({ verdict, text }) => `${verdict} ${text}`.replace(/\d+ s\)$/, 'n s)')),
    [
      'ok open are command, imap; 1 are held until staff decide',
      'ok a at imap.example, INBOX: it is being emptied, 2 mails are left',
      'warn b@x.example at imap.example, Help: Nobody answers at imap.example:993 (for n s)'
    ]
  )

  clock.turn(30)
  assert.equal((await desk.post(list, admin, {})).data.mailboxes[0].state, 'unattended')
})

test('with a refresh token an access token is fetched, and what the provider refuses is said without it', async () => {
  let answer = () => JSON.stringify({ access_token: 'fresh', expires_in: 3_600 })
  let asked = ''
  const provider = createServer((request, response) => {
    asked = ''
    request.on('data', chunk => (asked += chunk))
    request.on('end', () => {
      const body = answer()
      response.writeHead(body.includes('error') ? 400 : 200, { 'content-type': 'application/json' }).end(body)
    })
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  after(() => provider.close())
  Object.assign(desk.services.config, {
    IMAP_OAUTH_TOKEN_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/token`,
    IMAP_OAUTH_CLIENT_ID: 'desk-client',
    IMAP_OAUTH_CLIENT_SECRET: 'of-the-client'
  })
  const [name] = use(`imap://desk:refresh-me@127.0.0.1:${server.port}/INBOX?auth=xoauth2`)
  const tried = async () => (await desk.post(probe, admin, { name })).data

  assert.deepEqual((await tried()).is_usable, 1)
  assert.equal(
    asked,
    'grant_type=refresh_token&refresh_token=refresh-me&client_id=desk-client&client_secret=of-the-client'
  )
  answer = () => JSON.stringify({ access_token: 'stale' })
  assert.match((await tried()).result, /refuses the login of desk: the access token is wrong/)
  answer = () => JSON.stringify({ error: 'invalid_grant', error_description: 'refresh-me is no good' })
  const { result, reason_code, said } = await tried()
  assert.deepEqual([reason_code, said], ['refresh_token_refused', 'invalid_grant'])
  assert.match(result, /gives no access token for the refresh token \(invalid_grant\)$/)
  assert.doesNotMatch(result, /refresh-me/)
})
