import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { waitingReplies } from '../../../test/support/waiting-replies.ts'
import { sweepExpired } from '../../mail/outbox/sweep.ts'

const desk = await bootDesk({ connections: 4 })
const ada = await aClient(desk, { is_email_verified: true })
const admin = await anAdmin(desk)
const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
const mary = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
const { send, due, detail } = await waitingReplies(desk, { ada, grace, admin })

const save = (body: object, person = grace) => desk.post('/api/admin/tickets/draft/save', person, body)
const draft = async (id: number, person = grace) =>
  (await desk.post('/api/admin/tickets/draft', person, { id })).data.draft

test('a draft goes with its writer to another machine, and colleagues see only that there is one', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)

  const saved = await save({ id, message: 'Try wat', cc: ['anton@example.com'] })
  const { version, message, cc } = await draft(id)

  assert.deepEqual([saved.status, saved.data.draft.version], [200, 1])
  assert.deepEqual([version, message, cc], [1, 'Try wat', ['anton@example.com']])
  assert.equal(await draft(id, mary), null)
  const [seen] = (await detail(id, mary)).drafts
  assert.deepEqual([seen.by.id, seen.message], [grace.id, undefined])
  const list = await desk.post('/api/admin/tickets/list', mary, {})
  assert.equal(list.data.tickets.find((row: { id: number }) => row.id === id).has_draft, 1)

  await desk.post('/api/admin/settings/update', admin, { share_drafts: 1 })
  assert.equal((await detail(id, mary)).drafts[0].message, 'Try wat')
  await desk.post('/api/admin/settings/update', admin, { share_drafts: 0 })
})

test('of two machines the second is refused with the version that stands', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  await save({ id, message: 'One' })
  await save({ id, message: 'Two', expected_version: 1 })

  const late = await save({ id, message: 'Three', expected_version: 1 })
  const deleted = await desk.post('/api/admin/tickets/draft/delete', grace, { id, expected_version: 1 })

  assert.deepEqual([late.status, late.body.reason, late.data.current_version], [409, 'version_conflict', 2])
  assert.equal(deleted.status, 409)
  assert.equal((await draft(id)).message, 'Two')
  assert.equal((await desk.post('/api/admin/tickets/draft/delete', grace, { id })).status, 200)
  assert.equal(await draft(id), null)
})

test('a draft in a ticket that is merged meanwhile goes on where its thread is, for its writer and for whoever takes it over', async () => {
  const [source, target] = [await aTicket(desk, ada), await aTicket(desk, ada)]
  await save({ id: source.ticket_id, message: 'Begun before' })
  await desk.post('/api/admin/tickets/merge', admin, { id: source.ticket_id, into_id: target.ticket_id })
  const id = target.ticket_id

  assert.equal((await draft(id)).message, 'Begun before')
  const saved = await save({ id: source.ticket_id, message: 'Begun before, on', expected_version: 1 })
  assert.deepEqual([saved.status, saved.data.draft.version], [200, 2])
  await desk.post('/api/admin/settings/update', admin, { share_drafts: 1 })
  const taken = await desk.post('/api/admin/tickets/draft/take', mary, { id, staff_id: grace.id })
  await desk.post('/api/admin/settings/update', admin, { share_drafts: 0 })
  assert.deepEqual([taken.status, taken.data.message], [200, 'Begun before, on'])
  await send({ id, message: 'Begun before, on, sent' })
  assert.deepEqual([await draft(id), (await detail(id, mary)).drafts], [null, []])
})

test('saving twice at once keeps one draft and one version for each', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)

  const saved = await Promise.all([1, 2, 3, 4].map(n => save({ id, message: `${n}` })))

  assert.deepEqual(saved.map(({ data }) => data.draft.version).toSorted(), [1, 2, 3, 4])
})

test('sending the reply, also one that waits, deletes the draft, and what a machine saves afterwards is refused', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  for (const undo of [0, 1]) {
    await save({ id, message: 'Try' })
    assert.equal((await send({ id, message: 'Try water.', undo })).status, 201)
    assert.equal(await draft(id), null)
    const late = await save({ id, message: 'Try w', expected_version: 1 })
    assert.deepEqual([late.status, late.body.reason], [409, 'draft_gone'])
  }
})

test('a reply that the client’s message has stopped is a draft again, before what was begun since', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  await send({ id, message: 'Try water.', undo: 1, bcc: ['dora@example.com'] })
  await desk.post('/api/tickets/reply', ada, { id, message: 'It is out.' })
  await save({ id, message: 'And sand.' })

  await due()

  const { message, bcc } = await draft(id)
  assert.deepEqual([message, bcc], ['Try water.\n\nAnd sand.', ['dora@example.com']])
})

test('a stopped reply to the client and others is a draft to the client and these', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  await send({ id, message: 'Try water.', undo: 1, to: ['carl@example.com', ada.email] })
  await desk.post('/api/tickets/reply', ada, { id, message: 'It is out.' })

  await due()

  assert.deepEqual((await draft(id)).to, [ada.email, 'carl@example.com'])
})

test('whoever takes over a draft gets its text, and its writer keeps it and is told', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  await save({ id, message: 'Try *wat', format: 'markdown' })
  const take = (staff: number, person = mary) =>
    desk.post('/api/admin/tickets/draft/take', person, { id, staff_id: staff })
  const taken = async () =>
    (await detail(id)).events
      .filter(({ kind }: { kind: string }) => kind === 'ticket.draft_taken')
      .map(({ actor_id, after }: { actor_id: number; after: object }) => [actor_id, after])

  const unshared = await take(grace.id)
  await desk.post('/api/admin/settings/update', admin, { share_drafts: 1 })
  const [own, none] = [await take(grace.id, grace), await take(admin.id)]
  const before = await taken()
  const got = await take(grace.id)
  await desk.post('/api/admin/settings/update', admin, { share_drafts: 0 })

  for (const refused of [unshared, own, none])
    assert.deepEqual([refused.status, refused.body.reason], [404, 'draft_not_found'])
  assert.deepEqual([got.status, got.data], [200, { message: 'Try *wat', format: 'markdown' }])
  assert.equal((await draft(id)).message, 'Try *wat')
  assert.deepEqual([before, await taken()], [[], [[mary.id, { staff_id: grace.id }]]])
  assert.equal(JSON.stringify((await desk.post('/api/tickets/detail', ada, { id })).body).includes('draft'), false)
})

test('the detail tells what an answer will reach, in the language that is asked for', async () => {
  const eve = await aClient(desk, { is_email_verified: true })
  const { ticket_id: id } = await aTicket(desk, eve)
  const reached = (await detail(id)).reach
  await desk.db.updateTable('clients').set({ ticket_emails: false }).where('id', '=', eve.id).execute()
  const off = await fetch(`${desk.url}/api/admin/tickets/detail`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${grace.token}`, 'accept-language': 'de' },
    body: JSON.stringify({ id })
  }).then(async response => (await response.json()) as { data: { reach: object } })

  assert.deepEqual([reached.is_unsubscribed, reached.will_reach], [0, 1])
  assert.match(reached.text, new RegExp(`Answers reach ${eve.email}`))
  assert.deepEqual({ ...off.data.reach, text: '' }, { is_blocked: 0, is_unsubscribed: 1, will_reach: 0, text: '' })
  assert.match(JSON.stringify(off.data.reach), /abgeschaltet: Die Antwort wartet im Portal/)
})

test('a ticket whose answer came back is marked in the list until somebody answers', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  await send({ id, message: 'Try water.' })
  desk.clock.turn(120)
  await desk.deliver()
  const row = async () => {
    const { data } = await desk.post('/api/admin/tickets/list', grace, {})
    return data.tickets.find((each: { id: number }) => each.id === id).undelivered
  }
  const before = await row()
  await desk.db
    .updateTable('sent_emails')
    .set({ bounced_at: desk.clock.now(), bounce_reason: 'no such address' })
    .where('ticket_id', '=', id)
    .where('kind', '=', 'client-ticket')
    .execute()
  const bounced = await row()
  desk.clock.turn(60)
  await send({ id, message: 'Once more.' })

  assert.deepEqual([before, bounced, await row()], [0, 1, 0])
})

test('9: what comes back of a ticket that was merged since marks the one where its thread is', async () => {
  const { ticket_id: source } = await aTicket(desk, ada)
  const { ticket_id: target } = await aTicket(desk, ada)
  await send({ id: source, message: 'Try water.' })
  desk.clock.turn(120)
  await desk.deliver()
  await desk.post('/api/admin/tickets/merge', admin, { id: source, into_id: target })
  const row = async () => {
    const { data } = await desk.post('/api/admin/tickets/list', grace, {})
    return data.tickets.find((each: { id: number }) => each.id === target).undelivered
  }
  const before = await row()
  await desk.db
    .updateTable('sent_emails')
    .set({ bounced_at: desk.clock.now(), bounce_reason: 'no such address' })
    .where('ticket_id', '=', source)
    .where('kind', '=', 'client-ticket')
    .execute()
  const bounced = await row()
  await desk.post('/api/admin/tickets/undelivered/dismiss', grace, { id: target })

  assert.deepEqual([before, bounced, await row()], [0, 1, 0])
})

test('drafts end after thirty days, and an empty text is one', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  assert.equal((await save({ id, message: '' })).status, 200)
  assert.equal((await save({ id, message: 'x'.repeat(500_001) })).status, 400)

  desk.clock.turn(31 * 86_400)
  await sweepExpired(desk.db, desk.clock.now())

  assert.deepEqual(await desk.db.selectFrom('ticket_drafts').select('staff_id').execute(), [])
})
