import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { aTicket, auditedActions, limitTo, timeline } from '../../../../test/support/tickets.ts'

const desk = await bootDesk({ connections: 6 })
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]

const opened = async (given: object = {}) => {
  const { ticket_id: id, ticket_number } = await aTicket(desk, ada, given)
  return { id: id as number, ticket_number: ticket_number as string }
}
const post = (action: string, body: object, by: Person = admin) => desk.post(`/api/admin/tickets/${action}`, by, body)
const link = (id: number, other_id: number, kind = 'related', by: Person = admin) =>
  post('link', { id, other_id, kind }, by)
async function linked(...given: Parameters<typeof link>) {
  const reply = await link(...given)
  assert.equal(reply.status, 200, reply.body.message)
  return reply.data
}
/** The links of a ticket, as kind, direction and the other one's id, and how many are beyond sight. */
async function linksOf(id: number, by: Person = admin) {
  const { data } = await post('detail', { id }, by)
  const links = data.links.map(
    ({ kind, direction, ticket }: { kind: string; direction: string; ticket: { id: number } }) => [
      kind,
      direction,
      ticket.id
    ]
  )
  return [links, data.links_unseen]
}
const refusal = ({ status, body }: Awaited<ReturnType<typeof link>>) => [status, body.reason, body.errors ?? []]

test('L1: both ends of a link show the other one, and both timelines tell who made it and took it away', async () => {
  const [one, other] = [await opened(), await opened({ subject: 'Wallbox' })]

  const made = await linked(one.id, other.id, 'blocks')
  const detail = (await post('detail', { id: other.id })).data
  const removed = await post('unlink', { id: other.id, other_id: one.id, kind: 'blocks' })

  const ticket = { id: other.id, ticket_number: other.ticket_number, subject: 'Wallbox', status: 'Open' }
  assert.deepEqual(made, {
    ticket_id: one.id,
    other_id: other.id,
    links: [{ kind: 'blocks', direction: 'out', ticket }],
    links_unseen: 0
  })
  assert.deepEqual([detail.links[0].direction, detail.links[0].ticket.id], ['in', one.id])
  assert.deepEqual([removed.status, removed.data.links], [200, []])
  const facts = (direction: string, named: object) => ({ link: 'blocks', direction, other: named })
  assert.deepEqual((await timeline(desk, one.id)).slice(1), [
    ['ticket.linked', null, facts('out', other)],
    ['ticket.unlinked', facts('out', other), {}]
  ])
  assert.deepEqual((await timeline(desk, other.id)).slice(1), [
    ['ticket.linked', null, facts('in', one)],
    ['ticket.unlinked', facts('in', one), {}]
  ])
  assert.deepEqual(await auditedActions(desk, one.id), ['ticket.linked'])
  assert.deepEqual(await auditedActions(desk, other.id), ['ticket.unlinked'])
})

test('L1: of a linked ticket beyond sight only that there is one more is told, and it cannot be linked', async () => {
  const [here, there, alsoThere] = [
    await opened(),
    await opened({ department_id: 4 }),
    await opened({ department_id: 4 })
  ]
  const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')
  const { id: department } = await desk.db
    .selectFrom('departments')
    .where('deptid', '=', 1)
    .select('id')
    .executeTakeFirstOrThrow()
  await limitTo(desk, grace.id, department)
  await linked(here.id, there.id, 'blocks')
  await linked(here.id, there.id, 'related')

  const detail = await post('detail', { id: here.id }, grace)
  const refused = [
    await link(here.id, alsoThere.id, 'related', grace),
    await link(alsoThere.id, here.id, 'related', grace),
    await post('unlink', { id: here.id, other_id: there.id, kind: 'related' }, grace),
    await link(here.id, 999_999, 'related', grace)
  ]

  assert.deepEqual([detail.data.links, detail.data.links_unseen], [[], 1])
  for (const secret of [there.ticket_number, `"id":${there.id},`]) {
    assert.ok(!JSON.stringify(detail.body).includes(secret))
  }
  assert.deepEqual(
    detail.data.events
      .filter(({ kind }: { kind: string }) => kind === 'ticket.linked')
      .map(({ after }: { after: { other: null } }) => after.other),
    [null, null]
  )
  for (const { status, body } of refused) assert.deepEqual([status, body.reason], [404, 'ticket_not_found'])
  assert.deepEqual(await linksOf(alsoThere.id), [[], 0])
})

test('L2: tickets cannot block each other in a circle, however long it is', async () => {
  const [a, b, c, d] = [await opened(), await opened(), await opened(), await opened()]
  await linked(a.id, b.id, 'blocks')
  await linked(b.id, c.id, 'blocks')
  await linked(c.id, d.id, 'blocks')

  const refused = [await link(b.id, a.id, 'blocks'), await link(d.id, a.id, 'blocks'), await link(d.id, b.id, 'blocks')]

  for (const reply of refused) assert.deepEqual(refusal(reply), [409, 'blocks_in_circle', []])
  assert.deepEqual(await linksOf(d.id), [[['blocks', 'in', c.id]], 0])
  await linked(a.id, d.id, 'blocks')
  await linked(d.id, a.id, 'related')
})

test('L2: of links made at once that would close a circle together one is refused', async () => {
  for (let round = 0; round < 5; round++) {
    const [a, b, c, d] = [await opened(), await opened(), await opened(), await opened()]
    await linked(a.id, b.id, 'blocks')
    await linked(c.id, d.id, 'blocks')

    const replies = await Promise.all([link(b.id, c.id, 'blocks'), link(d.id, a.id, 'blocks')])

    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 409])
  }
})

test('L3: a merge carries links along, drops those between the two, and an unmerge brings them back', async () => {
  const [source, target, other] = [await opened(), await opened(), await opened()]
  await linked(source.id, other.id, 'related')
  await linked(other.id, target.id, 'related')
  await linked(source.id, target.id, 'duplicate_of')
  await post('merge', { id: source.id, into_id: target.id })

  const merged = [await linksOf(target.id), await linksOf(other.id), await linksOf(source.id)]
  const again = await link(target.id, other.id, 'related')
  await post('unmerge', { id: source.id })
  const apart = [await linksOf(target.id), await linksOf(source.id)]
  await post('merge', { id: source.id, into_id: target.id })
  await post('unlink', { id: target.id, other_id: other.id, kind: 'related' })
  const taken = [await linksOf(target.id), await linksOf(other.id)]

  assert.deepEqual(merged, [
    [[['related', 'out', other.id]], 0],
    [[['related', 'in', target.id]], 0],
    [[['related', 'out', other.id]], 0]
  ])
  assert.deepEqual(refusal(again), [409, 'already_linked', []])
  assert.deepEqual(apart, [
    [
      [
        ['related', 'in', other.id],
        ['duplicate_of', 'in', source.id]
      ],
      0
    ],
    [
      [
        ['related', 'out', other.id],
        ['duplicate_of', 'out', target.id]
      ],
      0
    ]
  ])
  assert.deepEqual(taken, [
    [[], 0],
    [[], 0]
  ])
})

test('a ticket and itself, a link that is there, one that is not, and what is merged or in the trash are refused', async () => {
  const [a, b, merged, trashed] = [await opened(), await opened(), await opened(), await opened()]
  await linked(a.id, b.id)
  await post('merge', { id: merged.id, into_id: b.id })
  await post('delete', { id: trashed.id })
  const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')

  assert.deepEqual(refusal(await link(a.id, a.id)), [400, 'invalid_fields', ['other_id']])
  assert.deepEqual(refusal(await link(a.id, b.id, 'split_from')), [400, 'invalid_fields', ['kind']])
  assert.deepEqual(refusal(await link(a.id, b.id)), [409, 'already_linked', []])
  assert.deepEqual(refusal(await link(b.id, a.id)), [409, 'already_linked', []])
  assert.deepEqual(refusal(await post('unlink', { id: a.id, other_id: b.id, kind: 'blocks' })), [
    404,
    'link_not_found',
    []
  ])
  assert.deepEqual(refusal(await link(a.id, merged.id)), [409, 'ticket_merged', []])
  assert.deepEqual(refusal(await link(merged.id, a.id)), [409, 'ticket_merged', []])
  assert.deepEqual(refusal(await link(a.id, trashed.id)), [409, 'ticket_trashed', []])
  assert.deepEqual(refusal(await link(a.id, trashed.id, 'related', grace)), [404, 'ticket_not_found', []])
  assert.deepEqual(await linksOf(a.id), [[['related', 'out', b.id]], 0])
})

test('a link to a ticket in the trash is not shown until that is restored, and is gone with it', async () => {
  const [a, b] = [await opened(), await opened()]
  await linked(a.id, b.id, 'duplicate_of')

  await post('delete', { id: b.id })
  const trashed = await linksOf(a.id)
  await post('restore', { id: b.id })
  const restored = await linksOf(a.id)
  await post('delete', { id: b.id })
  await post('purge', { id: b.id, ticket_number: b.ticket_number })

  assert.deepEqual(
    [trashed, restored],
    [
      [[], 0],
      [[['duplicate_of', 'out', b.id]], 0]
    ]
  )
  assert.deepEqual(await linksOf(a.id), [[], 0])
})

test('the last link that somebody made or took away is undone, on both timelines', async () => {
  const [a, b] = [await opened(), await opened()]
  await linked(a.id, b.id, 'blocks')

  const unlinked = await post('undo', { id: a.id })
  const none = await linksOf(b.id)
  await linked(a.id, b.id, 'blocks')
  await post('unlink', { id: a.id, other_id: b.id, kind: 'blocks' })
  const back = await post('undo', { id: b.id })

  assert.deepEqual([unlinked.status, back.status], [200, 200], back.body.message)
  assert.deepEqual(
    [none, await linksOf(a.id)],
    [
      [[], 0],
      [[['blocks', 'out', b.id]], 0]
    ]
  )
  const last = (await timeline(desk, a.id)).at(-1)
  // The undoing itself is on the timeline of the other ticket.
  assert.deepEqual(last, ['ticket.linked', null, { link: 'blocks', direction: 'out', other: b, by: 'undo' }])
  assert.deepEqual((await post('undo', { id: a.id })).body.reason, 'nothing_to_undo')
})

test('a link to a ticket that has gone out of sight is neither taken away nor brought back by an undo', async () => {
  const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status')
  const [made, lost, far] = [await opened(), await opened(), await opened()]
  await linked(lost.id, far.id, 'related', grace)
  await linked(made.id, far.id, 'related', grace)
  await post('unlink', { id: lost.id, other_id: far.id, kind: 'related' }, grace)
  const before = await timeline(desk, far.id)

  await limitTo(desk, grace.id, 1)
  await desk.db.updateTable('tickets').set({ department_id: 5 }).where('id', '=', far.id).execute()
  const answers = [await post('undo', { id: made.id }, grace), await post('undo', { id: lost.id }, grace)]

  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.reason]),
    [
      [409, 'undo_impossible'],
      [409, 'undo_impossible']
    ]
  )
  assert.deepEqual(
    [await linksOf(made.id), await linksOf(lost.id)],
    [
      [[['related', 'out', far.id]], 0],
      [[], 0]
    ]
  )
  assert.deepEqual(await timeline(desk, far.id), before)
})

test('a link hinders nobody from undoing their own change before it', async () => {
  const [a, b, grace] = [await opened(), await opened(), await anAdmin(desk)]
  await post('update', { id: a.id, priority: 'High' }, grace)
  await linked(b.id, a.id)

  const { status, data } = await post('undo', { id: a.id }, grace)

  assert.deepEqual([status, data.ticket.priority], [200, 'Medium'])
})

test('many tickets are linked to one at once, and those that are linked so already are told of', async () => {
  const [a, b, c, incident] = [await opened(), await opened(), await opened(), await opened()]
  await linked(c.id, incident.id, 'duplicate_of')
  const body = { ids: [a.id, b.id, c.id, incident.id], action: 'link', other_id: incident.id }

  const { data } = await post('bulk', { ...body, link: 'duplicate_of' })
  const missing = await post('bulk', body)

  assert.deepEqual(
    [data.done, data.failed.map(({ id }: { id: number }) => id)],
    [
      [a.id, b.id],
      [c.id, incident.id]
    ]
  )
  assert.deepEqual(refusal(missing), [400, 'missing_fields', ['link']])
  assert.equal((await linksOf(incident.id))[0].length, 3)
})
