import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { defaultAdmin } from '../../src/people/staff/first-admin.ts'
import { served } from '../support/program.ts'
import { poster } from '../support/requests.ts'
import { aWebhookReceiver } from '../support/webhook-receivers.ts'

test('killed in the middle of deliveries, the service loses none of them', { timeout: 180_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deskline-webhooks-'))
  const environment = { DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1', WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' }
  let service = await served(environment)
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const receiver = await aWebhookReceiver()
  const { post, admin, client } = await loggedIn(service.url)
  const made = await post('/api/admin/webhooks/create', admin, { url: receiver.url, kinds: ['ticket.created'] })
  assert.equal(made.status, 201, made.body.message)

  // Three attempts are under way, and more wait, when the process is killed.
  receiver.answer = () => {}
  const ids: number[] = []
  for (let count = 0; count < 8; count++) {
    const opened = await post('/api/tickets/create', client, { department_id: 1, subject: 'Fire', message: 'Fire!' })
    ids.push(opened.data.ticket_id)
  }
  await receiver.got(3)
  await service.stop('SIGKILL')
  receiver.answer = response => response.writeHead(200).end()
  const before = receiver.requests.length
  service = await served(environment)

  const arrived = () => new Set(receiver.requests.slice(before).map(({ event }) => event.data.ticket_id as number))
  for (let count = before + 1; arrived().size < ids.length; count++) await receiver.got(count)
  assert.deepEqual(
    [...arrived()].toSorted((one, other) => one - other),
    ids
  )
})

async function loggedIn(url: string) {
  const post = poster(url)
  const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', password: 'correct horse' }
  await post('/api/auth/signup', undefined, person)
  const client = (await post('/api/auth/login', undefined, person)).data
  const admin = (await post('/api/admin/auth/login', undefined, defaultAdmin)).data
  return { post, admin, client }
}
