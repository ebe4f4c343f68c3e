import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { assign, aTicket, limitTo, listedIds } from '../../../../test/support/tickets.ts'
import type { Condition } from '../../conditions/schemas.ts'

const desk = await bootDesk()
const [admin, ada, eve] = [await anAdmin(desk), await aClient(desk), await aClient(desk)]

const one = (...any: Condition[]) => ({ conditions: { all: [{ any }] } })

test('a list takes conditions beside its filters, and shows what fits all of them', async () => {
  const [grace, open] = [await aSupporter(desk, 'tickets.reply'), { client_id: ada.id }]
  const printer = (await aTicket(desk, ada, { subject: 'Printer on fire', department_id: 4 })).ticket_id
  const paper = (await aTicket(desk, ada, { subject: 'No paper', department_id: 5 })).ticket_id
  await aTicket(desk, eve, { subject: 'Printer again', department_id: 4 })
  await assign(desk, paper, grace.id)
  await desk.post('/api/admin/tickets/tags', admin, { id: printer, tags: [await aTag('Vip')] })
  const fits: [object, number[]][] = [
    [{ conditions: { all: [] } }, [paper, printer]],
    [one({ field: 'subject', op: 'contains', value: 'PRINTER' }), [printer]],
    [one({ field: 'department_id', op: 'in', value: [4, 99] }), [printer]],
    [one({ field: 'department_id', op: 'is_not', value: 4 }), [paper]],
    [one({ field: 'tags', op: 'has_any', value: ['vIP', 'never made'] }), [printer]],
    [one({ field: 'tags', op: 'has_none', value: ['vip'] }), [paper]],
    [one({ field: 'assigned_staff_id', op: 'is_not', value: grace.id }), [printer]],
    [one({ field: 'assigned_staff_id', op: 'is', value: grace.id }, { field: 'tags', op: 'is_set' }), [paper, printer]],
    [
      {
        conditions: {
          all: [
            { any: [{ field: 'assigned_staff_id', op: 'not_set' }] },
            { any: [{ field: 'subject', op: 'is', value: 'No paper' }] }
          ]
        }
      },
      []
    ],
    [one({ field: 'channel', op: 'is', value: 'portal' }), [paper, printer]],
    [one({ field: 'channel', op: 'in', value: ['email', 'form'] }), []],
    [{ ...one({ field: 'subject', op: 'contains', value: 'p' }), department_id: 5 }, [paper]],
    [{ ...one({ field: 'subject', op: 'contains', value: 'p' }), search: 'fire' }, [printer]]
  ]

  for (const [conditions, expected] of fits) {
    assert.deepEqual(await listedIds(desk, admin, { ...open, ...conditions }), expected, JSON.stringify(conditions))
    const { data } = await desk.post('/api/admin/tickets/list', admin, { ...open, ...conditions })
    assert.equal(data.total, expected.length)
  }
  const inForm = {
    ...open,
    conditions: JSON.stringify(fits[1]![1] && (fits[1]![0] as { conditions: object }).conditions)
  }
  const { data } = await desk.post('/api/admin/tickets/list', admin, inForm, 'form')
  assert.deepEqual(
    data.tickets.map(({ id }: { id: number }) => id),
    [printer]
  )
})

test('each filter is the condition that it stands for', async () => {
  const grace = await aSupporter(desk, 'tickets.view_all')
  const all = { client_id: (await aClient(desk)).id }
  const client = await aClient(desk)
  const id = (await aTicket(desk, client, { department_id: 4 })).ticket_id
  await assign(desk, id, grace.id)
  await desk.post('/api/admin/tickets/tags', admin, { id, tags: [await aTag('same')] })
  const same: [object, Condition][] = [
    [{ status: ['In Progress', 'Open'] }, { field: 'status', op: 'in', value: ['Open', 'In Progress'] }],
    [{ priority: 'Medium' }, { field: 'priority', op: 'is', value: 'Medium' }],
    [{ department_id: 4 }, { field: 'department_id', op: 'is', value: 4 }],
    [{ assigned_staff_id: grace.id }, { field: 'assigned_staff_id', op: 'is', value: grace.id }],
    [{ unassigned: 0 }, { field: 'assigned_staff_id', op: 'is_set' }],
    [{ unassigned: 1 }, { field: 'assigned_staff_id', op: 'not_set' }],
    [{ tag: 'SAME' }, { field: 'tags', op: 'has_any', value: ['same'] }],
    [{ waiting: 1 }, { field: 'waiting_since', op: 'is_set' }],
    [{ waiting: 0 }, { field: 'waiting_since', op: 'not_set' }],
    [{ watched: 0 }, { field: 'watched', op: 'is', value: 0 }],
    [{ created_from: '2020-01-01' }, { field: 'created_at', op: 'after', value: '2020-01-01' }],
    [{ created_to: '2020-01-01' }, { field: 'created_at', op: 'before', value: '2020-01-02' }]
  ]

  for (const [filter, condition] of same) {
    const query = { client_id: client.id }
    assert.deepEqual(
      await listedIds(desk, grace, { ...query, ...filter }),
      await listedIds(desk, grace, { ...query, ...one(condition) }),
      JSON.stringify(filter)
    )
    assert.deepEqual(await listedIds(desk, grace, { ...all, ...filter }), [])
  }
})

test('older_than counts from the clock of the desk', async () => {
  const client = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, client)
  const older = (value: number) =>
    listedIds(desk, admin, { client_id: client.id, ...one({ field: 'created_at', op: 'older_than', value }) })

  const before = await older(60)
  desk.clock.turn(61 * 60)

  assert.deepEqual([before, await older(60), await older(62)], [[], [id], []])
})

test('what is misspelt or of another kind is refused by its place, and nothing is listed', async () => {
  const open: Condition = { field: 'status', op: 'is', value: 'Open' }
  const wrong: [unknown, string][] = [
    [{ all: [{ any: [{ field: 'stauts', op: 'is', value: 'Open' }] }] }, 'conditions.all.0.any.0.field'],
    [{ all: [{ any: [open, { ...open, op: 'equals' }] }] }, 'conditions.all.0.any.1.op'],
    [{ all: [{ any: [open] }, { any: [{ ...open, value: 7 }] }] }, 'conditions.all.1.any.0.value'],
    [{ all: [{ any: [open], al: [] }] }, 'conditions.all.0.al'],
    [{ all: Array(21).fill({ any: [open] }) }, 'conditions.all'],
    [{ any: [open] }, 'conditions.any'],
    [[], 'conditions'],
    ['open', 'conditions']
  ]

  for (const [conditions, place] of wrong) {
    const { status, body } = await desk.post('/api/admin/tickets/list', admin, { conditions })
    assert.deepEqual([status, body.errors], [400, [place]], JSON.stringify(conditions))
    assert.match(body.message, new RegExp(place))
  }
})

test('conditions show nobody a ticket that they do not see', async () => {
  const [client, limited] = [await aClient(desk), await aSupporter(desk, 'tickets.view_all')]
  await limitTo(desk, limited.id, 4)
  const seen = (await aTicket(desk, client, { department_id: 4 })).ticket_id
  await aTicket(desk, client, { department_id: 5 })
  const any: Condition[] = [
    { field: 'department_id', op: 'in', value: [4, 5] },
    { field: 'assigned_staff_id', op: 'is_not', value: 1 }
  ]

  assert.deepEqual(await listedIds(desk, limited, { client_id: client.id, ...one(...any) }), [seen])
})

async function aTag(name: string): Promise<number> {
  return (await desk.post('/api/admin/tags/create', admin, { name })).data.tag.id
}
