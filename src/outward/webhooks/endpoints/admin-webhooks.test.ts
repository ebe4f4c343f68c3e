import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../../test/support/people.ts'
import { aTicket } from '../../../../test/support/tickets.ts'
import { aWebhookReceiver } from '../../../../test/support/webhook-receivers.ts'
import { aWebhook, deliverWebhooks, kindsOf, localReceivers, verified } from '../../../../test/support/webhooks.ts'
import { sequence } from '../../../core/events/read-events.ts'
import { outgoingHttp } from '../../../platform/outgoing/outgoing.ts'

const resolve = async (host: string) =>
  ({
    'crm.example.com': ['93.184.216.34'],
    'inside.example.com': ['10.0.0.1'],
    'half.example.com': ['93.184.216.34', '::1']
  })[host] ?? []
const outgoing = outgoingHttp({ allowed: localReceivers.WEBHOOK_ALLOW_PRIVATE, resolve })
const desk = await bootDesk({ services: { outgoing } })
const admin = await anAdmin(desk)
const url = 'https://crm.example.com/deskline'

const post = (path: string, body: object = {}) => desk.post(`/api/admin/webhooks/${path}`, admin, body)

test('a webhook is added with a secret that is shown this once, for all kinds where none is named', async () => {
  const { status, data } = await post('create', { url, kinds: [], include_notes: 0 })
  const plain = await post('create', { url })
  const some = await post('create', {
    url: `${url}?a=b#part`,
    kinds: ['ticket.created', 'ticket.noted', 'ticket.created'],
    include_text: 1,
    include_notes: 1
  })
  const stored = await desk.db.selectFrom('webhook_secrets').select('sealed_secret').execute()

  assert.equal(status, 201)
  assert.match(data.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const { id, version, created_at, updated_at, created_at_iso, updated_at_iso, ...rest } = data.webhook
  assert.ok(id && version === 1 && created_at && updated_at && created_at_iso && updated_at_iso)
  assert.deepEqual(rest, {
    url,
    kinds: [],
    include_text: 0,
    include_notes: 0,
    include_staff_fields: 0,
    is_active: 1,
    disabled_reason: null,
    disabled_at: null,
    disabled_at_iso: null,
    failing_since: null,
    failing_since_iso: null
  })
  assert.deepEqual(plain.data.webhook.kinds, [])
  assert.deepEqual(some.data.webhook.url, `${url}?a=b`)
  assert.deepEqual(some.data.webhook.kinds, ['ticket.created', 'ticket.noted'])
  assert.deepEqual([some.data.webhook.include_text, some.data.webhook.include_notes], [1, 1])
  assert.ok(!JSON.stringify(stored).includes(data.secret.slice(6, 20)))
  const shown = [await post('list'), await post('detail', { id }), await post('update', { id, is_active: 1 })]
  for (const reply of shown) {
    assert.equal(reply.status, 200)
    assert.doesNotMatch(JSON.stringify(reply.body), /whsec_|sealed|secret/)
  }
})

test('what cannot be sent to is refused, and nothing is stored', async () => {
  const before = await desk.rowCounts()
  const urls = [
    'http://crm.example.com/',
    'https://user:password@crm.example.com/',
    'https://user@crm.example.com/',
    'https://nowhere.example.com/',
    'https://inside.example.com/',
    'https://half.example.com/',
    'https://10.0.0.1/',
    'https://127.0.0.2/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://2130706434/',
    'https://0/',
    'ftp://crm.example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '//crm.example.com/',
    'crm.example.com',
    'https://',
    `https://crm.example.com/${'x'.repeat(2048)}`,
    `https://crm.example.com/${'ä'.repeat(1000)}`
  ]

  for (const url of urls) {
    const reply = await post('create', { url, kinds: [], include_notes: 0 })
    assert.deepEqual([reply.status, reply.body.errors], [400, ['url']], url)
  }
  assert.deepEqual((await post('create', {})).body.errors, ['url'])
  for (const kinds of [['ticket.exploded'], ['webhook.test'], ['ticket.*'], [7], 'nothing']) {
    assert.deepEqual((await post('create', { url, kinds })).body.errors, ['kinds'])
  }
  assert.deepEqual(await desk.rowCounts(), before)
})

test('changed, deleted and unknown ones', async () => {
  const { id } = await aWebhook(desk, admin, { url, kinds: ['ticket.created'] })

  const changed = await post('update', { id, kinds: [], include_text: 1, expected_version: 1 })
  const outdated = await post('update', { id, kinds: ['ticket.created'], expected_version: 1 })
  const same = await post('update', { id, include_text: 1 })
  const refused = await post('update', { id, url: 'https://inside.example.com/' })
  const other = await post('update', { id, url: 'https://crm.example.com/other?token=hush' })
  await sequence(desk.services)
  const audited = await desk.db
    .selectFrom('audit_log')
    .where('target_type', '=', 'webhook')
    .where('target_id', '=', id)
    .select(['action', 'before', 'after'])
    .orderBy('id')
    .execute()
  const deleted = await desk.post(`/api/admin/webhooks/${id}/delete`, admin)

  assert.deepEqual([changed.data.webhook.kinds, changed.data.webhook.include_text], [[], 1])
  assert.deepEqual([changed.data.webhook.version, outdated.status, same.data.webhook.version], [2, 409, 2])
  assert.deepEqual([refused.status, refused.body.errors, other.data.webhook.version], [400, ['url'], 3])
  assert.deepEqual(
    audited.map(({ action }) => action),
    ['webhook.created', 'webhook.updated', 'webhook.updated']
  )
  assert.doesNotMatch(JSON.stringify(audited), /whsec_|hush|deskline/)
  assert.deepEqual(deleted.data, { deleted_id: id })
  for (const path of ['detail', 'update', 'delete', 'test', 'rotate']) {
    assert.equal((await post(path, { id })).status, 404, path)
  }
  assert.equal((await post('deliveries/list', { webhook_id: id })).status, 404)
  assert.equal((await post('deliveries/detail', { id: 987_654 })).status, 404)
  assert.equal((await post('deliveries/replay', { id: 987_654 })).status, 404)
  assert.equal((await post('deliveries/replay', { webhook_id: id, since: '2026-01-01' })).status, 404)
  assert.equal(
    (await desk.db.selectFrom('webhook_secrets').where('webhook_id', '=', id).selectAll().execute()).length,
    0
  )
})

test('there are fifty at most, however many are added at the same time', async () => {
  const { data } = await post('list')
  const all = await Promise.all(Array.from({ length: 52 - data.total }, () => post('create', { url })))

  assert.equal(all.filter(({ status }) => status === 409).length, 2)
  assert.equal((await post('list')).data.total, 50)
  await desk.db.deleteFrom('webhooks').execute()
})

test('a test is sent with an id of its own each time, signed, and tells nothing of anybody', async () => {
  const receiver = await aWebhookReceiver()
  const webhook = await aWebhook(desk, admin, { url: receiver.url, kinds: ['ticket.purged'] })

  const first = await post('test', { id: webhook.id })
  await post('test', { id: webhook.id })
  await deliverWebhooks(desk)
  const detail = await post('deliveries/detail', { id: first.data.delivery.id })

  assert.deepEqual([first.status, first.data.delivery.state], [200, 'queued'])
  assert.deepEqual(kindsOf(receiver.requests), ['webhook.test', 'webhook.test'])
  const [one, other] = receiver.requests.map(({ headers }) => headers['webhook-id'])
  assert.ok(one && other && one !== other)
  for (const request of receiver.requests) verified(webhook.secret, request)
  assert.equal(detail.data.delivery.state, 'delivered')
  assert.deepEqual(
    detail.data.attempts.map(({ number, status, answer, error }: Record<string, unknown>) => [
      number,
      status,
      answer,
      error
    ]),
    [[1, 200, 'thank you', null]]
  )
})

test('both secrets sign for 24 hours after a rotation, then the new one alone', async () => {
  const receiver = await aWebhookReceiver()
  const { id, secret: first } = await aWebhook(desk, admin, { url: receiver.url, kinds: ['ticket.purged'] })

  const { secret: second } = (await post('rotate', { id })).data
  const { secret: third } = (await post('rotate', { id })).data
  await post('test', { id })
  await deliverWebhooks(desk)
  desk.clock.turn(86_400 + 1)
  // The other one's login is over by now.
  await desk.post('/api/admin/webhooks/test', await anAdmin(desk), { id })
  await deliverWebhooks(desk)
  desk.clock.turn(-86_400 - 1)

  const [during, after] = receiver.requests
  assert.equal(new Set([first, second, third]).size, 3)
  for (const secret of [first, second, third]) verified(secret, during!)
  assert.equal(String(during!.headers['webhook-signature']).split(' ').length, 3)
  assert.equal(String(after!.headers['webhook-signature']).split(' ').length, 1)
})

test('while it is off nothing is queued or sent; a replay brings what happened meanwhile', async () => {
  const receiver = await aWebhookReceiver()
  const ada = await aClient(desk)
  await aTicket(desk, ada)
  const webhook = await aWebhook(desk, admin, { url: receiver.url, kinds: ['ticket.created'] })

  await post('update', { id: webhook.id, is_active: 0 })
  const missed = [await aTicket(desk, ada), await aTicket(desk, ada)]
  await deliverWebhooks(desk)
  const whileOff = await post('deliveries/list', { webhook_id: webhook.id })
  const refused = [
    await post('test', { id: webhook.id }),
    await post('deliveries/replay', { webhook_id: webhook.id, since: '2020-01-01' })
  ]
  await post('update', { id: webhook.id, is_active: 1 })
  await deliverWebhooks(desk)
  const before = receiver.requests.length
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const replay = await post('deliveries/replay', { webhook_id: webhook.id, since })
  await deliverWebhooks(desk)
  const again = await post('deliveries/replay', { webhook_id: webhook.id, since })
  await deliverWebhooks(desk)

  assert.equal(whileOff.data.total, 0)
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.reason]),
    Array(2).fill([409, 'webhook_off'])
  )
  assert.deepEqual([before, replay.status, again.status], [0, 200, 200])
  assert.deepEqual(
    receiver.requests.map(({ event }) => event.data.ticket_id),
    missed.map(({ ticket_id }) => ticket_id)
  )
})

test('what a replay needs is said', async () => {
  const missing = [{}, { webhook_id: 1 }, { since: '2026-01-01' }]
  const errors = [['id'], ['since'], ['webhook_id']]

  for (const [at, body] of missing.entries()) {
    const reply = await post('deliveries/replay', body)
    assert.deepEqual([reply.status, reply.body.reason, reply.body.errors], [400, 'missing_fields', errors[at]])
  }
  for (const since of ['yesterday', '2026-02-30', '2026-13-01T00:00:00Z', '1']) {
    const reply = await post('deliveries/replay', { webhook_id: 1, since })
    assert.deepEqual([reply.status, reply.body.errors], [400, ['since']], since)
  }
  assert.equal((await post('deliveries/replay', { id: 1, since: '2026-01-01' })).status, 400)
})
