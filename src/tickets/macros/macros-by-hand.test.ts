import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'
import { aTicket as openTicket, timeline } from '../../../test/support/tickets.ts'
import { permissionSlugs } from '../../core/permissions.ts'
import { ticketStatuses } from '../../core/tables/tickets.ts'
import { type Action, entryOf } from '../actions/action-values.ts'

const desk = await bootDesk({ connections: 4 })
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
const colleague = await aSupporter(desk, 'tickets.view_all')
const tags = ['fire', 'vip', 'calm']
for (const name of tags) await desk.post('/api/admin/tags/create', admin, { name })

const field = { key: 'serial_number', label: 'Serial number', kind: 'text', client_access: 'none' }
assert.equal((await desk.post('/api/admin/fields/create', admin, field)).status, 201)

const minutes = 90
const someTags = fc.uniqueArray(fc.constantFrom(...tags), { minLength: 1, maxLength: 3 })

/** Actions that have something by hand that does the same, by somebody who is `me`. */
const anAction = (me: number): fc.Arbitrary<Action> =>
  fc.oneof(
    fc.constantFrom(...ticketStatuses).map(set_status => ({ set_status })),
    fc.constantFrom('Low' as const, 'Medium' as const, 'High' as const).map(set_priority => ({ set_priority })),
    fc.constantFrom(1, 4).map(move_to => ({ move_to })),
    fc.constantFrom(me, colleague.id, null).map(assign => ({ assign })),
    someTags.map(add_tags => ({ add_tags })),
    someTags.map(remove_tags => ({ remove_tags })),
    fc.constantFrom('SN-1', 'SN-2', null).map(value => ({ set_field: { key: 'serial_number', value } })),
    fc.constant({ note: 'A note' }),
    fc.constant({ snooze: { minutes, kind: 'third_party' as const } }),
    fc.constant({ watch: me })
  )

/** The call that does the same by hand. */
function byHand(action: Action): [verb: string, body: object] {
  const { kind, value } = entryOf(action)
  switch (kind) {
    case 'set_status':
      return ['status', { status: value }]
    case 'set_priority':
      return ['update', { priority: value }]
    case 'move_to':
      return ['update', { department_id: value }]
    case 'assign':
      return ['assign', { assigned_staff_id: value, force: 1 }]
    case 'set_field':
      return ['update', { fields: { [value.key]: value.value } }]
    case 'add_tags':
      return ['tags', { add: value }]
    case 'remove_tags':
      return ['tags', { remove: value }]
    case 'note':
      return ['note', { note: value }]
    case 'watch':
      return ['watch', { watching: 1 }]
    default: {
      const until = new Date(desk.clock.now().getTime() + minutes * 60_000).toISOString()
      return ['snooze', { until, kind: 'third_party' }]
    }
  }
}

/** What staff see of a ticket, without what differs between any two. */
async function stateOf(id: number) {
  const { ticket, messages, notes, watchers } = (await desk.post('/api/admin/tickets/detail', admin, { id })).data
  const { status, priority, assignee, tags, department, snooze, fields } = ticket
  const said = messages.map(({ message }: { message: string }) => message)
  const noted = notes.map(({ note, author }: { note: string; author: object }) => [note, author])
  const events = (await timeline(desk, id)).map(([kind, before, after]) => [kind, plain(before), plain(after)])
  return { status, priority, assignee, tags, department, fields, snooze: plain(snooze), said, noted, watchers, events }
}

function plain(facts: unknown): unknown {
  const { until: _, message_id: __, note_id: ___, ...others } = (facts ?? {}) as Record<string, unknown>
  return others
}

/** `edits`: whether they may set a status, which a macro that names one always takes; a reply by hand may be Answered without. */
async function same(me: Person, edits: boolean, actions: Action[], reply: string | undefined) {
  const [macro, hand] = [(await openTicket(desk, ada)).ticket_id, (await openTicket(desk, ada)).ticket_id]
  const before = await stateOf(macro)
  const given = { name: 'Random', actions, ...(reply && { reply_text: reply }), is_shared: 1 }
  const made = await desk.post('/api/admin/macros/create', admin, given)
  assert.equal(made.status, 201, made.body.message)

  const macro_id = made.data.macro.id
  const applied = await desk.post('/api/admin/macros/apply', me, { id: macro, macro_id, send: 1 })
  const status = actions.findLast(action => 'set_status' in action)?.set_status
  const steps = actions.filter(action => !reply || !('set_status' in action)).map(byHand)
  if (reply) steps.push(['reply', { message: reply, ...(status && { status }) }])
  let refused: string | undefined = status && !edits ? 'forbidden' : undefined
  for (const [verb, body] of steps) {
    if (refused) break
    const done = await desk.post(`/api/admin/tickets/${verb}`, me, { id: hand, ...body })
    if (done.status >= 300) refused = done.body.reason
  }

  assert.equal(applied.status >= 300, refused !== undefined, `${applied.body.message}, by hand: ${refused}`)
  assert.deepEqual(await stateOf(macro), refused ? before : await stateOf(hand))
}

for (const permission of permissionSlugs) {
  test(`applying a macro is doing the same by hand, for who has ${permission}`, async () => {
    const me = await aSupporter(desk, ...new Set([permission, 'tickets.view_all' as const]))
    await fc.assert(
      fc.asyncProperty(
        fc.array(anAction(me.id), { minLength: 1, maxLength: 3 }),
        fc.option(fc.constant('Hello'), { nil: undefined }),
        (actions, reply) => same(me, permission === 'tickets.edit_status', actions, reply)
      ),
      { numRuns: 6 }
    )
  })
}

test('applying a macro is doing the same by hand, for who has all of them', async () => {
  const me = await aSupporter(desk, ...permissionSlugs)
  await fc.assert(
    fc.asyncProperty(
      fc.array(anAction(me.id), { minLength: 1, maxLength: 6 }),
      fc.option(fc.constant('Hello'), { nil: undefined }),
      (actions, reply) => same(me, true, actions, reply)
    ),
    { numRuns: 40 }
  )
})
