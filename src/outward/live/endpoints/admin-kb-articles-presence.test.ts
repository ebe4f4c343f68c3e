import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { anArticle } from '../../../../test/support/articles.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { withoutAttemptLimits } from '../../../../test/support/routes.ts'
import { listen, type StreamEvent } from '../../../../test/support/streams.ts'
import { aTicket } from '../../../../test/support/tickets.ts'

const desk = await bootDesk({ config: withoutAttemptLimits, connections: 4 })
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
const grace = await aSupporter(desk, 'tickets.reply')
const { id } = await anArticle(desk, admin)
const say = (state: string, article = id) => desk.post('/api/admin/kb/articles/presence', grace, { id: article, state })

test('who is at an article is told to staff, apart from the ticket of the same number', async () => {
  const { ticket_id } = await aTicket(desk, ada)
  const [stream, ofTicket, hers] = [
    await listen(desk.url, { token: admin.token }),
    await listen(desk.url, { token: admin.token, body: { ticket_id } }),
    await listen(desk.url, { token: grace.token })
  ]
  after(() => {
    for (const each of [stream, ofTicket, hers]) each.close()
  })
  const isTold = (states: string[]) => (told: StreamEvent) =>
    told.event === 'article_presence' &&
    told.data.article_id === id &&
    JSON.stringify(told.data.staff.map(({ state }: { state: string }) => state)) === JSON.stringify(states)

  const answer = await say('viewing')
  const first = await stream.first(isTold(['viewing']))
  await say('writing')
  await stream.first(isTold(['writing']))
  await say('away')
  await stream.first(isTold([]))
  await say('writing')
  await stream.first(isTold(['writing']))
  hers.close()
  await stream.first(isTold([]))

  assert.deepEqual(answer.data.staff[0].name, 'Grace Hopper')
  assert.equal(first.id, undefined)
  for (const { told } of [stream, ofTicket]) assert.ok(!told.some(({ event }) => event === 'presence'))
  assert.ok(!ofTicket.told.some(({ event }) => event === 'article_presence'))
})

test('presence at an article that is not there is refused, as is what tickets have', async () => {
  const [gone, replying] = [await say('viewing', 999), await say('replying')]

  assert.deepEqual([gone.status, gone.body.reason], [404, 'article_not_found'])
  assert.deepEqual([replying.status, replying.body.errors], [400, ['state']])
})

test('whoever manages articles without a ticket permission hears who is at them, and nothing of tickets', async () => {
  const joan = await aSupporter(desk, 'departments.manage')
  const { ticket_id } = await aTicket(desk, ada)
  await desk.db.updateTable('tickets').set({ assigned_staff_id: joan.id }).where('id', '=', ticket_id).execute()
  const stream = await listen(desk.url, { token: joan.token })
  after(() => stream.close())
  await desk.post('/api/admin/tickets/presence', admin, { id: ticket_id, state: 'viewing' })
  await desk.post('/api/admin/tickets/note', admin, { id: ticket_id, note: 'Hers, and yet not for her' })
  await desk.post('/api/admin/kb/articles/archive', admin, { id })

  await say('writing')

  await stream.first(({ event, data }) => event === 'article_presence' && data.article_id === id)
  await stream.first(({ data }) => data.kind === 'article.archived')
  assert.equal(stream.status, 200)
  assert.ok(!stream.told.some(({ event, data }) => event === 'presence' || data.ticket_id))
  assert.equal((await desk.post('/api/admin/events/list', joan)).status, 403)
  assert.equal((await listen(desk.url, { token: (await aSupporter(desk, 'clients.view')).token })).status, 403)

  await desk.post('/api/admin/staff/permissions', admin, { id: joan.id, permissions: [] })
  assert.equal(await stream.ended, 'ended')
})
