import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { bootDesk } from '../../../test/support/desk.ts'
import { aMail } from '../../../test/support/mails.ts'
import { root } from '../../../test/support/program.ts'
import { until } from '../../../test/support/until.ts'

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, yes').toString('base64')}`
const largest = 100_000
const desk = await bootDesk({
  connections: 4,
  config: { MAIL_INBOUND_SECRET: secret, MAIL_MAX_BYTES: largest, TRUST_PROXY: 1 }
})

/** Headers that sign the body `signed`, sent from this network. */
function headersOf({ signed = '', at = desk.clock.now(), by = secret, from = '192.0.2.1' }) {
  return {
    'content-type': 'message/rfc822',
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign('msg_1', at, signed),
    'x-forwarded-for': from
  }
}

async function send(
  body: string,
  { query = '', ...signing }: { query?: string } & Parameters<typeof headersOf>[0] = {}
) {
  const headers = headersOf({ signed: body, ...signing })
  const answer = await fetch(`${desk.url}/api/mail/inbound${query}`, { method: 'POST', body, headers })
  return { status: answer.status, body: (await answer.json()) as { reason?: string; data?: { outcome: string } } }
}

test('a raw e-mail that is signed becomes a ticket, once', async () => {
  const mail = aMail()

  const [first, again] = [await send(mail, { query: '?recipient=support%40desk.example' }), await send(mail)]

  assert.deepEqual([first.status, first.body.data?.outcome], [200, 'ticket'])
  assert.deepEqual([again.status, again.body.data?.outcome], [200, 'duplicate'])
})

test('the command line of the operations page hands a mail over', async context => {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  const lines = /```sh\n(id=msg_[\s\S]*?)```/.exec(page)![1]!
  const folder = mkdtempSync(join(tmpdir(), 'deskline-webhook-'))
  after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'mail.eml'), aMail())
  const script = lines
    .replaceAll('$(date +%s)', String(Math.floor(desk.clock.now().getTime() / 1000)))
    .replace('https://desk.example.com', desk.url)
  if (spawnSync('sh', ['-c', 'command -v curl && command -v openssl']).status !== 0)
    return context.skip('There is no curl or no openssl here')

  const child = spawn('sh', ['-euc', script], {
    cwd: folder,
    env: { PATH: process.env.PATH, MAIL_INBOUND_SECRET: secret }
  })
  const [said, wrong] = await Promise.all([text(child.stdout), text(child.stderr)])

  assert.equal(JSON.parse(said || '{}').data?.outcome, 'ticket', `${said} ${wrong}`)
})

test('what is not signed, by another secret, for another body or long ago is refused, and nothing is stored', async () => {
  const rows = await desk.rowCounts()
  const mail = aMail()
  const other = `whsec_${Buffer.from('another secret of thirty-two bytes').toString('base64')}`

  for (const refused of [
    await send(mail, { signed: `${mail}.` }),
    await send(mail, { by: other }),
    await send(mail, { at: new Date(desk.clock.now().getTime() - 3_600_000) })
  ]) {
    assert.deepEqual([refused.status, refused.body.reason], [401, 'bad_signature'])
  }
  const bare = await fetch(`${desk.url}/api/mail/inbound`, { method: 'POST', body: mail })
  const unsigned = await desk.rowCounts()
  const noMail = await send('hello')

  assert.equal(bare.status, 401)
  assert.deepEqual([noMail.status, noMail.body.reason], [400, 'no_message'])
  assert.deepEqual(unsigned, rows)
  // Somebody who may send mail has sent this: the log tells that it was refused.
  assert.deepEqual(await desk.rowCounts(), { ...rows, mail_log: rows.mail_log! + 1 })
})

const staged = async () => await readdir(join(desk.dataDir, 'uploads/.incoming')).catch(() => [])

/** Begins to send a body of this length, or of unknown length, and does not finish it. */
function beginning(from: string, length?: number): ClientRequest {
  const headers = { ...headersOf({ from }), ...(length === undefined ? {} : { 'content-length': length }) }
  const sending = request(`${desk.url}/api/mail/inbound`, { method: 'POST', headers })
  sending.on('error', () => {})
  sending.write('From: eve@example.com\n\n'.padEnd(50_000, 'x'))
  return sending
}

async function answered(sending: ClientRequest): Promise<number> {
  const [answer] = (await once(sending, 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode!
}

test('what strangers have stored for the moment is bounded, of each network and in all, and is gone with its sender', async () => {
  const rows = await desk.rowCounts()

  const held = ['203.0.113.1', '203.0.113.2'].flatMap(from => Array.from({ length: 4 }, () => beginning(from, largest)))
  await until(async () => (await staged()).length === 8)
  const ofOne = beginning('203.0.113.1', largest)
  const ofAll = beginning('203.0.113.3', largest)
  const unknownLength = beginning('203.0.113.3')
  const refused = await Promise.all([ofOne, ofAll, unknownLength].map(answered))
  const tooLarge = await answered(beginning('203.0.113.4', largest + 1))
  for (const sending of [...held, ofOne, ofAll, unknownLength]) sending.destroy()

  assert.deepEqual([refused, tooLarge], [[503, 503, 503], 413])
  await until(
    async () => (await staged()).length === 0,
    async () => String(await staged())
  )
  assert.deepEqual(await desk.rowCounts(), rows)
  assert.equal((await send(aMail(), { from: '203.0.113.3' })).status, 200)
})

test('headers are judged before a byte is stored', async () => {
  for (const wrong of [
    { 'webhook-timestamp': '1' },
    { 'webhook-signature': 'v1,short' },
    { 'webhook-signature': `v2,${'A'.repeat(43)}=` },
    { 'webhook-id': 'x'.repeat(2_000) }
  ]) {
    const headers = { ...headersOf({}), ...wrong, 'content-length': largest }
    const sending = request(`${desk.url}/api/mail/inbound`, { method: 'POST', headers })
    sending.on('error', () => {})
    sending.write('From: eve@example.com\n\n')
    // It gets a response although its body is incomplete.
    assert.equal(await answered(sending), 401, JSON.stringify(wrong))
    assert.deepEqual(await staged(), [])
    sending.destroy()
  }
})

test('who sends what nobody has signed again and again is refused for a while; a network from which signed mails come is not', async () => {
  const mail = aMail()
  const [stranger, provider] = ['2001:db8:1:2::3', '192.0.2.77']
  assert.equal((await send(mail, { from: provider })).status, 200)

  const statuses = new Set<number>()
  for (let at = 0; at < 20; at++) statuses.add((await send(mail, { signed: 'else', from: stranger })).status)
  for (let at = 0; at < 21; at++) statuses.add((await send(mail, { signed: 'else', from: provider })).status)

  assert.deepEqual([...statuses], [401])
  // A neighbouring address counts as the same network, since one customer has the whole prefix.
  const refused = await send(mail, { from: '2001:db8:1:ffff::1' })
  assert.deepEqual([refused.status, refused.body.reason], [429, 'too_many_attempts'])
  assert.equal((await send(mail, { from: provider })).status, 200)
  desk.clock.turn(301)
  assert.equal((await send(mail, { from: stranger })).status, 200)
  assert.deepEqual(await staged(), [])
})

test('without a secret there is no such address', async () => {
  const closed = await bootDesk()

  const answer = await fetch(`${closed.url}/api/mail/inbound`, { method: 'POST', body: aMail() })

  assert.equal(answer.status, 404)
})
