import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'
import { limitTo } from '../../../test/support/tickets.ts'
import { catchUp } from './index-words.ts'

const desk = await bootDesk()
const [admin, ada] = [await anAdmin(desk), await aClient(desk)]

async function found(query: string): Promise<{ total: number; kinds: Record<string, number[]> }> {
  const kinds: Record<string, number[]> = {}
  let total = 0
  for (let page = 1; ; page++) {
    const { status, data, body } = await desk.post('/api/admin/search', admin, { query, page, limit: 100 })
    assert.equal(status, 200, body.message)
    if (data.results.length === 0) return { total, kinds }
    total = data.total
    for (const { kind, id } of data.results) kinds[kind] = [...(kinds[kind] ?? []), id]
  }
}

/** Of tickets with these ids, in the order given. */
async function openTickets(ids: number[], subject: string): Promise<void> {
  await sql`insert into tickets (id, client_id, department_id, subject) overriding system value
    select id, ${ada.id}, 1, ${subject} from unnest(${ids}::bigint[]) as id`.execute(desk.db)
}

const range = (start: number, length: number) => Array.from({ length }, (_, at) => start + at)

test('of what many have the newest hundred of each kind are ranked and counted', async () => {
  await openTickets(range(11_001, 130), 'An ordinary harp')
  await sql`insert into ticket_messages (id, ticket_id, client_id, sender_first_name, sender_last_name, message)
    overriding system value select id + 5000, id, client_id, 'A', 'B', 'My harp' from tickets where subject ~ 'harp'`.execute(
    desk.db
  )

  const { total, kinds } = await found('harp')

  assert.equal(total, 200)
  assert.deepEqual(kinds.ticket!.toSorted(), range(11_031, 100))
  assert.deepEqual(kinds.message!.toSorted(), range(16_031, 100))
})

test('what is rare is found however far apart it lies', async () => {
  const ids = [3, 1023, 1024, 2000, 8191, 70_000, 600_000, 600_001, 5_000_000, 90_000_000]
  await openTickets(ids, 'A rare theorbo')

  const { total, kinds } = await found('theorbo')
  const { kinds: parts } = await found('heorb')
  await desk.db.updateTable('tickets').set({ trashed_at: new Date() }).where('id', 'in', [3, 70_000]).execute()
  const { kinds: seen } = await found('theorbo')

  assert.equal(total, ids.length)
  const sorted = (list: number[] = []) => list.toSorted((a, b) => a - b)
  assert.deepEqual(sorted(kinds.ticket), ids)
  assert.deepEqual(sorted(parts.ticket), ids)
  assert.deepEqual(
    sorted(seen.ticket),
    ids.filter(id => id !== 3 && id !== 70_000)
  )
})

test('words that only begin as was typed, and parts of words, are found where not enough have the word itself', async () => {
  await openTickets([20_001], 'Zebulon')
  await openTickets([20_002], 'Xzebu')
  await openTickets(range(20_010, 99), 'Zebu')
  const few = await found('zebu')

  await openTickets([20_500], 'Zebu')
  const enough = await found('zebu')
  const begun = await found('zebul')

  assert.ok(few.kinds.ticket!.includes(20_001))
  assert.equal(few.total, 100)
  assert.deepEqual(enough.kinds.ticket!.toSorted(), [...range(20_010, 99), 20_500])
  assert.deepEqual(begun.kinds.ticket, [20_001])
})

test('for words that stand next to one another the newest ten thousand that have them are read', async () => {
  const eve = await aClient(desk, { first_name: 'Alpha', last_name: 'Omega', email: 'first@greek.test' })
  const add = (start: number, end: number) =>
    sql`insert into clients (first_name, last_name, email, password)
      select 'Omega', 'Alpha', 'n' || n || '@greek.test', '' from generate_series(${start}::int, ${end}::int) as n`.execute(
      desk.db
    )

  // With something else that is found: otherwise what is nearly it would be looked for.
  await openTickets([30_001], 'A lonely sackbut')
  await add(1, 7_000)
  const among = await found('"alpha omega" OR sackbut')
  await add(7_001, 13_000)
  const beyond = await found('"alpha omega" OR sackbut')

  assert.deepEqual(among.kinds, { client: [eve.id], ticket: [30_001] })
  assert.deepEqual(beyond.kinds, { ticket: [30_001] })
})

test('who sees many tickets of a larger desk finds the newest of theirs, and what is rare among them, but nothing else', async () => {
  const [bob, own, technical] = [
    await aClient(desk),
    await aSupporter(desk, 'tickets.reply'),
    await aSupporter(desk, 'tickets.view_all')
  ]
  await limitTo(desk, technical.id, 4)
  // Every other one is bob's, handled by `own`, in the department of `technical`.
  await sql`insert into tickets (id, client_id, department_id, assigned_staff_id, subject) overriding system value
    select 100000 + n, case n % 2 when 0 then ${bob.id}::int else ${ada.id}::int end, case n % 2 when 0 then 4 else 1 end,
      case n % 2 when 0 then ${own.id}::int end, 'A lute' || case when n in (1, 2) then ' with a capotasto' else '' end
    from generate_series(1, 4200) as n`.execute(desk.db)
  const author = { author_first_name: 'A', author_last_name: 'B' }
  await desk.db
    .insertInto('ticket_notes')
    .values({ ticket_id: 100_002, note: 'A marginal remark', ...author })
    .execute()
  const newest = range(0, 100).map(at => 104_200 - 2 * at)
  const tickets = async (path: string, person: Person, query: string) => {
    const { status, data, body } = await desk.post(path, person, { query, limit: 100 })
    assert.equal(status, 200, body.message)
    return data.results.filter(({ kind }: { kind: string }) => kind === 'ticket').map(({ id }: { id: number }) => id)
  }
  const seekers: [path: string, person: Person][] = [
    ['/api/admin/search', own],
    ['/api/admin/search', technical],
    ['/api/tickets/search', bob]
  ]

  for (const [path, person] of seekers) {
    const [common, rare] = await Promise.all(['lute', 'capotasto'].map(query => tickets(path, person, query)))

    assert.deepEqual(common, newest)
    assert.deepEqual(rare, [100_002])
  }
  const noted = async (path: string, person: Person) =>
    (await desk.post(path, person, { query: 'marginal remark' })).data.total
  assert.deepEqual(await Promise.all(seekers.map(([path, person]) => noted(path, person))), [1, 1, 0])
  await desk.db.deleteFrom('tickets').where('id', '>', 110_000).execute()
  for (const [path, person] of seekers) assert.deepEqual(await tickets(path, person, 'capotastu'), [100_002])
})

test('where the planner knows common words that begin so, these and others are found for each word', async () => {
  await openTickets(range(200_001, 40), 'Quartz sonority')
  await openTickets([200_100], 'Quartz sonnet')
  await catchUp(desk.db)
  await sql`analyze ticket_words`.execute(desk.db)
  // Words of few rows count as common as well, for which a desk would have to be large.
  const { rows } = await sql<{ text: string }>`select pg_get_functiondef('search_common'::regproc) as text`.execute(
    desk.db
  )
  await sql.raw(rows[0]!.text.replace('< 100000', '< 1')).execute(desk.db)
  const common = await sql<{ words: string | null }>`
    select search_common('ticket_words', array['quar'])::text as words`.execute(desk.db)
  const tickets = async (query: string) => (await found(query)).kinds.ticket?.toSorted() ?? []

  assert.equal(common.rows[0]!.words, "'quartz'")
  assert.deepEqual(await tickets('quar sonor'), range(200_001, 40))
  assert.deepEqual(await tickets('quar sonn'), [200_100])
  assert.deepEqual(await tickets('quartz son'), [...range(200_001, 40), 200_100])
  assert.deepEqual(await tickets('quar sono -nowhere'), range(200_001, 40))
  assert.deepEqual(await tickets('quar sonn OR quar "sonnet"'), [200_100])
  assert.deepEqual(await tickets('quar nobod'), [])
})
