import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { assign, aTicket, limitTo, listedIds } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)
const eve = await aClient(desk, { first_name: 'Évelyne', last_name: 'Marchand', email: 'eve@workshop.test' })

async function listed(person: Person, body: object) {
  const reply = await desk.post('/api/admin/tickets/list', person, body)
  assert.equal(reply.status, 200, reply.body.message)
  return reply.data
}

async function idsOf(person: Person, body: object): Promise<number[]> {
  return (await listedIds(desk, person, body)).toSorted((one, other) => one - other)
}

async function open(given: object): Promise<number> {
  return (await aTicket(desk, eve, given)).ticket_id
}

test('a search finds words and their beginnings in subject, messages, notes and client, and parts of subject, number and client', async () => {
  const [one, two] = [
    await open({ subject: 'Gearwheels are worn', message: 'The lathe squeaks.' }),
    await open({ subject: 'An invoice', message: 'It names a façade.', department_id: 4 })
  ]
  await desk.post('/api/admin/tickets/reply', admin, { id: one, message: 'Please oil it thoroughly.' })
  await desk.post('/api/admin/tickets/note', admin, { id: two, note: 'She is a quibbler.' })
  const { ticket_number } = (await desk.post('/api/admin/tickets/detail', admin, { id: two })).data.ticket
  const cases: [search: string, expected: number[]][] = [
    ['gearwheel', [one]],
    ['arwhee', [one]],
    ['squeak', [one]],
    ['OILED', [one]],
    ['lathe oil', []],
    ['lath squ', [one]],
    ['"squea" lath', []],
    ['facade', [two]],
    ['quibb', [two]],
    ['ibbler', []],
    ['evelyne', [one, two]],
    ['elyne march', [one, two]],
    ['eve@workshop', [one, two]],
    ['worksh', [one, two]],
    ['marchand invoice', [two]],
    ['marchand -invoice', [one]],
    [ticket_number, [two]],
    [ticket_number.slice(2), [two]],
    ['gearwheel OR quibbler', [one, two]],
    ['nowhere', []],
    ['!!!', []]
  ]

  for (const [search, expected] of cases) {
    assert.deepEqual(await idsOf(admin, { search, client_id: eve.id }), expected, search)
    assert.equal((await listed(admin, { search, client_id: eve.id })).total, expected.length, search)
  }
})

test('what was merged into a ticket is found in it, and what lies in the trash is not, but among the trash', async () => {
  const [kept, merged, trashed] = [
    await open({ subject: 'Kept zither' }),
    await open({ subject: 'Merged oboe', message: 'The bassoon.' }),
    await open({ subject: 'Trashed zither' })
  ]
  await desk.post('/api/admin/tickets/note', admin, { id: merged, note: 'A contrabass.' })
  await desk.post('/api/admin/tickets/merge', admin, { id: merged, into_id: kept })
  await desk.post('/api/admin/tickets/delete', admin, { id: trashed })

  const found = []
  for (const search of ['zither', 'oboe', 'bassoon', 'contrabass', 'zithe']) found.push(await idsOf(admin, { search }))
  const inTrash = await idsOf(admin, { search: 'zither', trashed: 1 })

  assert.deepEqual(found, Array(5).fill([kept]))
  assert.deepEqual(inTrash, [trashed])
})

test('nobody finds what they do not see', async () => {
  const [mine, other] = [await open({ subject: 'Xylophone one' }), await open({ subject: 'Xylophone two' })]
  const elsewhere = await open({ subject: 'Xylophone three', department_id: 4 })
  const [own, limited] = [await aSupporter(desk, 'tickets.reply'), await aSupporter(desk, 'tickets.view_all')]
  await assign(desk, mine, own.id)
  await limitTo(desk, limited.id, 4)

  assert.deepEqual(await idsOf(own, { search: 'xylophone' }), [mine])
  assert.deepEqual(await idsOf(limited, { search: 'xylophone' }), [elsewhere])
  assert.deepEqual(await idsOf(admin, { search: 'xylophone' }), [mine, other, elsewhere])
})

test('a search goes with other filters, and a cursor leads through all that is found, each once', async () => {
  const ids: number[] = []
  for (let number = 1; number <= 7; number++) ids.push(await open({ subject: `Harmonium ${number}`, priority: 'High' }))
  await open({ subject: 'Harmonium in Billing', department_id: 4 })
  const body = { search: 'harmonium', priority: 'High', limit: 3, sort: 'priority' }

  const pages = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listed(admin, { ...body, ...(cursor ? { cursor } : {}) })
    pages.push(page.tickets.map(({ id }: { id: number }) => id))
    assert.equal(page.total, 7)
    cursor = page.next_cursor
  }

  assert.deepEqual(pages, [ids.slice(4).reverse(), ids.slice(1, 4).reverse(), [ids[0]]])
})

test('what a search finds is counted to a thousand', async () => {
  await sql`insert into tickets (client_id, department_id, subject)
    select ${eve.id}, 1, 'Vuvuzela ' || n from generate_series(1, 1001) as n`.execute(desk.db)

  const { total, count } = await listed(admin, { search: 'vuvuzela', limit: 2 })

  assert.deepEqual([total, count], [1000, 2])
})
