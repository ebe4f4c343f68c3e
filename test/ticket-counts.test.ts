import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { type Db, transaction } from '../src/core/db.ts'
import { countMismatches, recountTickets } from '../src/tickets/queue/recount-tickets.ts'
import { testDatabase } from './support/database.ts'
import { ticketCountsAreRight } from './support/ticket-counts.ts'

const hands = 6

test('whatever happens to tickets from several sides at once, their counts are those of counting them', async () => {
  const db = await aFilledDatabase()
  let done = 0

  for (let round = 0; round < 6; round++) {
    await Promise.all(Array.from({ length: hands }, () => walk(db)))
    await ticketCountsAreRight(db)
  }
  await sql`select sum_up_ticket_counts()`.execute(db)

  await ticketCountsAreRight(db)
  assert.ok(done > 150, `${done} transactions were committed`)
  assert.ok((await countOf(db, 'tickets')) > 20)

  async function walk(db: Db) {
    for (let step = 0; step < 15; step++) {
      // Some are taken back; so is who waits for another in a ring, or refers to somebody who has just been deleted.
      await change(db).catch(error => assert.match(String(error), /taken back|deadlock detected|foreign key/))
    }
  }

  async function change(db: Db) {
    await transaction(db, async db => {
      for (let left = randomInt(1, 4); left > 0; left--) await changes[randomInt(changes.length)]!().execute(db)
      if (randomInt(5) === 0) throw new Error('taken back')
    })
    done++
  }
})

test('two who change tickets of one department do not wait for one another, nor for who sums up', async () => {
  const db = await aFilledDatabase()
  const { promise: changed, resolve: haveChanged } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const slow = transaction(db, async db => {
    await sql`update tickets set status = 'Answered' where id = 1`.execute(db)
    await sql`select sum_up_ticket_counts()`.execute(db)
    await sql`update tickets set status = 'Closed' where id = 1`.execute(db)
    haveChanged()
    await released
  })
  await changed

  await transaction(db, async db => {
    await sql`set local lock_timeout = 1000`.execute(db)
    await sql`update tickets set status = 'Answered' where id = 2`.execute(db)
    await sql`select sum_up_ticket_counts()`.execute(db)
    await sql`insert into tickets (client_id, department_id, subject) values (1, 1, 'New')`.execute(db)
    await sql`delete from tickets where id = 3`.execute(db)
  })
  await ticketCountsAreRight(db)
  release()
  await slow

  await ticketCountsAreRight(db)
})

test('who reads while others change and sum up never sees a ticket twice or not at all', async () => {
  const db = await aFilledDatabase()
  const kept = await total(db)
  let isOver = false
  const busy = [1, 2, 3].map(async id => {
    while (!isOver) {
      await sql`update tickets set status = case status when 'Open' then 'Closed' else 'Open' end where id = ${id}`.execute(
        db
      )
      await sql`select sum_up_ticket_counts()`.execute(db)
    }
  })

  const seen = new Set<number>()
  for (let at = 0; at < 300; at++) {
    seen.add(await total(db))
  }
  isOver = true
  await Promise.all(busy)

  assert.deepEqual([...seen], [kept])
})

test('the more changes there are, the more often they are summed up, without a worker', async () => {
  const db = await aFilledDatabase()

  for (let at = 0; at < 700; at++) {
    await sql`update tickets set status = case status when 'Open' then 'Closed' else 'Open' end where id = 1`.execute(
      db
    )
  }

  const after700 = await countOf(db, 'ticket_counts')
  await sql`insert into tickets (client_id, department_id, subject)
    select 1, 1, 'One of many' from generate_series(1, 1500)`.execute(db)

  // Every 512th row, and what there is after that.
  assert.ok(after700 < 700)
  assert.ok((await countOf(db, 'ticket_counts')) < 200)
  await ticketCountsAreRight(db)
})

test('while somebody looks at the database as it was, reading the counts stays cheap, and they stay right', async () => {
  const db = await aFilledDatabase()
  await sql`insert into staff (first_name, last_name, email, password)
    select 'Agent', 'Number ' || n, 'agent' || n || '@example.com', 'none' from generate_series(1, 300) as n`.execute(
    db
  )
  await sql`insert into tickets (client_id, department_id, status, assigned_staff_id, subject)
    select 1, (array[1, 4, 5, 6])[1 + n % 4], (array['Open', 'Answered', 'Customer-Reply', 'Closed'])[1 + n / 4 % 4],
      (select min(id) from staff) + n / 16, 'Number ' || n from generate_series(1, 4800) as n`.execute(db)
  await recountTickets(db)
  const before = await pagesRead(db)

  const after = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async snapshot => {
      await sql`select from tickets limit 1`.execute(snapshot)
      await changeStatuses(db, 8000)
      await ticketCountsAreRight(db)
      return await pagesRead(db)
    })
  await changeStatuses(db, 2000)

  // The changes themselves come to 120; writing all sums anew at every 512th row made it 2,260.
  assert.ok(after < before + 300, `${before} pages, then ${after}`)
  await ticketCountsAreRight(db)
})

test('what came in while triggers did nothing is noticed, and counted by recounting', async () => {
  const db = await aFilledDatabase()
  await sql`alter table tickets disable trigger user`.execute(db)
  await sql`update tickets set status = 'Answered'`.execute(db)
  await sql`alter table tickets enable trigger user`.execute(db)

  const wrong = await countMismatches(db)
  await recountTickets(db)

  assert.ok(wrong > 0)
  assert.equal(await countMismatches(db), 0)
  await ticketCountsAreRight(db)
})

async function aFilledDatabase(): Promise<Db> {
  const { db, close } = await testDatabase({ connections: hands })
  after(close)
  await fill(db)
  return db
}

/** Clients 1 to 5, staff 1 to 5, and tickets of theirs in every department and status, some in the trash, some merged away. */
async function fill(db: Db): Promise<void> {
  await sql`insert into clients (first_name, last_name, email, password)
    select 'Ada', 'Lovelace', 'ada' || n || '@example.com', 'none' from generate_series(1, 5) as n`.execute(db)
  await sql`insert into staff (first_name, last_name, email, password)
    select 'Grace', 'Hopper', 'grace' || n || '@example.com', 'none' from generate_series(1, 5) as n`.execute(db)
  await sql`
    insert into tickets (client_id, department_id, assigned_staff_id, status, subject, trashed_at, merged_into_id)
    select 1 + n % 5, (array[1, 4, 5, 6])[1 + n % 4], nullif(n % 6, 0),
      (array['Open', 'In Progress', 'Answered', 'Customer-Reply', 'Closed'])[1 + n / 4 % 5], 'Number ' || n,
      case when n % 13 = 12 then now() end, case when n % 17 = 16 then 1 end
    from generate_series(1, 200) as n`.execute(db)
}

/** Each in a transaction of its own. */
async function changeStatuses(db: Db, times: number): Promise<void> {
  await sql`do $$ begin
    for number in 1..${sql.lit(times)} loop
      update tickets set status = case status when 'Open' then 'Answered' else 'Open' end
        where id = 201 + (number * 7919) % 4800;
      commit;
    end loop;
  end $$`.execute(db)
}

async function pagesRead(db: Db): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain (analyze, buffers, timing off) select sum(tickets) from ticket_counts`.execute(db)
  const [, hit = 0, read = 0] =
    /shared (?:hit=(\d+))? ?(?:read=(\d+))?/.exec(rows.map(row => row['QUERY PLAN']).join()) ?? []
  return Number(hit) + Number(read)
}

async function total(db: Db): Promise<number> {
  const { rows } = await sql<{ total: number }>`select sum(tickets) as total from ticket_counts`.execute(db)
  return rows[0]!.total
}

async function countOf(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db)
  return rows[0]!.count
}

const one = (table: string) => sql`(select id from ${sql.table(table)} order by random() limit 1)`
const ticket = () => one('tickets')
const department = () => one('departments')
const status = () => sql.lit(['Open', 'In Progress', 'Answered', 'Customer-Reply', 'Closed'][randomInt(5)]!)

const changes: (() => RawBuilder<unknown>)[] = [
  () => sql`insert into tickets (client_id, department_id, status, assigned_staff_id, subject)
    select ${one('clients')}, ${department()}, ${status()}, ${one('staff')}, 'New' from generate_series(1, 30)`,
  () => sql`update tickets set status = ${status()} where id = ${ticket()}`,
  () => sql`update tickets set status = ${status()}, department_id = ${department()} where id = ${ticket()}`,
  () => sql`update tickets set assigned_staff_id = ${one('staff')} where id = ${ticket()}`,
  () => sql`update tickets set assigned_staff_id = null where id = ${ticket()}`,
  () => sql`update tickets set trashed_at = now() where id = ${ticket()}`,
  () => sql`update tickets set trashed_at = null, status = ${status()} where trashed_at is not null`,
  () => sql`update tickets set merged_into_id = nullif(${ticket()}, id), status = 'Closed' where id = ${ticket()}`,
  () => sql`update tickets set merged_into_id = null where merged_into_id = ${ticket()}`,
  () => sql`update tickets set message_count = message_count + 1 where id = ${ticket()}`,
  () => sql`delete from tickets where id = ${ticket()}`,
  () => sql`update tickets set department_id = ${department()} where department_id = ${department()} and id % 3 = 0`,
  () => sql`insert into staff (first_name, last_name, email, password)
    values ('Alan', 'Turing', gen_random_uuid() || '@example.com', 'none')`,
  () => sql`delete from staff where id = ${one('staff')} and (select count(*) from staff) > 2`,
  () => sql`insert into clients (first_name, last_name, email, password)
    values ('Bob', 'Builder', gen_random_uuid() || '@example.com', 'none')`,
  () => sql`delete from clients where id = ${one('clients')} and (select count(*) from clients) > 3`,
  () => sql`select sum_up_ticket_counts()`
]
