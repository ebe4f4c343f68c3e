import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventKinds } from '../src/core/events/catalogue.ts'
import { apiDocument } from '../src/operation/pages/api-document.ts'
import { bootDesk } from './support/desk.ts'
import { freePort } from './support/free-port.ts'
import { aClient, anAdmin } from './support/people.ts'
import { aTicket } from './support/tickets.ts'
import { aWebhook, deliveriesOf, deliverWebhooks, localReceivers } from './support/webhooks.ts'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/webhooks.md'), 'utf8')

test('the receiver of the page works as printed, and refuses what it cannot verify', async () => {
  const [, program = ''] = /^```js receiver\n(.*?)^```/ms.exec(page) ?? []
  const desk = await bootDesk({ config: localReceivers })
  const admin = await anAdmin(desk)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const webhook = await aWebhook(desk, admin, { url, kinds: ['ticket.created'] })
  const receiver = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    env: { PATH: process.env.PATH, WEBHOOK_SECRET: webhook.secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  after(() => receiver.kill())
  let output = ''
  receiver.stdout.setEncoding('utf8').on('data', text => (output += text))
  while (!(await fetch(url).catch(() => undefined)));

  const { ticket_id } = await aTicket(desk, await aClient(desk))
  await deliverWebhooks(desk)
  const [delivery] = await deliveriesOf(desk, admin, webhook)
  const forged = await fetch(url, {
    method: 'POST',
    body: '{}',
    headers: { 'webhook-id': '1', 'webhook-timestamp': '1' }
  })

  assert.ok(program.trim().split('\n').length <= 15)
  assert.deepEqual([delivery.state, delivery.last_status, forged.status], ['delivered', 204, 400])
  while (!output.includes('\n')) await new Promise(setImmediate)
  assert.equal(output, `${delivery.message_id} ticket.created ${ticket_id}\n`)
})

test('the description of the API tells of every kind that there is, and of tests', () => {
  const { webhooks } = apiDocument() as { webhooks: object }

  assert.deepEqual(Object.keys(webhooks), ['webhook.test', ...Object.keys(eventKinds)])
})
