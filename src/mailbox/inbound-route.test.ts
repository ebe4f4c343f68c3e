import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { bootDesk } from '../../test/support/desk.ts'
import { aMail } from '../../test/support/mails.ts'
import { root } from '../../test/support/program.ts'

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, yes').toString('base64')}`
const desk = await bootDesk({ connections: 4, config: { MAIL_INBOUND_SECRET: secret } })

async function send(body: string, { signed = body, at = desk.clock.now(), by = secret, query = '' } = {}) {
  const signature = new Webhook(by).sign('msg_1', at, signed)
  const answer = await fetch(`${desk.url}/api/mail/inbound${query}`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'message/rfc822',
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signature
    }
  })
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
  const noMail = await send('hello')

  assert.equal(bare.status, 401)
  assert.deepEqual([noMail.status, noMail.body.reason], [400, 'no_message'])
  assert.deepEqual(await desk.rowCounts(), rows)
})

test('without a secret there is no such address', async () => {
  const closed = await bootDesk()

  const answer = await fetch(`${closed.url}/api/mail/inbound`, { method: 'POST', body: aMail() })

  assert.equal(answer.status, 404)
})
