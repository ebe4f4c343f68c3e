import { sql } from 'kysely'
import pg from 'pg'
import { addUpDays } from '../src/insight/facts/add-up-days.ts'
import { openDatabase } from '../src/platform/db/open.ts'
import { indexesAndForeignKeysOf } from './indexes-and-foreign-keys.ts'

const filled = ['ticket_facts', 'tickets']
const chunkTickets = 50_000

/**
 * Adds tickets to a filled database until it has this many, with what the reports count of each, by SQL alone: without messages and words a million
 * takes minutes. Days are added up by the code that does it in a service.
 */
export async function fillFacts(url: string, tickets: number, say: (text: string) => void): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    options: '-c synchronous_commit=off -c jit=off -c work_mem=256MB'
  })
  await client.connect()
  try {
    const { indexes, references } = await indexesAndForeignKeysOf(client, filled)
    for (const { drop } of [...references, ...indexes]) await client.query(drop)
    for (const table of filled) await client.query(`alter table ${table} disable trigger user`)
    await client.query('truncate ticket_facts, report_days, report_dirty')
    await client.query('update report_state set filled_up_to = null, filling_since = null')
    const { rows } = await client.query('select max(id) as last from tickets')
    for (let start = Number(rows[0].last); start < tickets; start += chunkTickets)
      await client.query(moreTickets(start, Math.min(start + chunkTickets, tickets), tickets))
    for (let start = 0; start < tickets; start += chunkTickets) await client.query(facts(start, start + chunkTickets))
    say(`reports: what is counted of ${tickets} tickets is filled in`)
    for (const { create } of [...indexes, ...references]) await client.query(create)
    for (const table of filled) await client.query(`alter table ${table} enable trigger user`)
    await client.query(`insert into report_dirty (figure, day, since)
      select distinct figure, (at at time zone 'UTC')::date, now() from ticket_facts`)
    // Nothing is left to read of the log: a report would catch up first.
    await client.query('update event_readers set place = (select last_place from event_sequencer)')
    for (const table of filled) await client.query(`vacuum (analyze) ${table}`)
  } finally {
    await client.end()
  }
  await addUpAll(url)
  say('reports: the days are added up')
}

async function addUpAll(url: string): Promise<void> {
  const { db, close } = openDatabase({
    connection: url,
    maxConnections: 1,
    statementTimeoutMilliseconds: 0,
    connectTimeoutMilliseconds: 10_000,
    onIdleError() {}
  })
  try {
    while ((await addUpDays({ db })) > 0);
    await sql`vacuum (analyze) report_days, report_dirty`.execute(db)
  } finally {
    await close()
  }
}

/** As those of `fill-statements.ts`, but without messages. */
function moreTickets(start: number, end: number, tickets: number): string {
  return `insert into tickets (id, ticket_number, client_id, department_id, assigned_staff_id, subject, priority, status, created_at, updated_at,
      closed_at, version) overriding system value
    select n, ticket_number(n), 1 + n % 1000, (array[1, 1, 4, 5, 6])[1 + n % 5], 2 + n % 20, 'Ticket ' || n,
      (array['Low', 'Medium', 'Medium', 'Medium', 'High', 'Critical'])[1 + n * 7 % 6], case when n % 25 = 0 then 'Open' else 'Closed' end,
      opened, opened, case when n % 25 > 0 then opened + interval '1 day' end, 1
    from (select n, now() - interval '700 days' * (1 - n::float / ${tickets}) as opened from generate_series(${start + 1}, ${end}) as n) as given`
}

/** Eleven facts of a ticket, as a desk with promises and ratings has them. */
const facts = (start: number, end: number) => `
  with ticket as (
    select id, created_at as opened, department_id, priority, 2 + id % 20 as staff, (array['email', 'email', 'portal', 'form'])[1 + id % 4] as channel,
      case when id % 3 = 0 then 1 + id % 500 end as organisation, case when id % 4 = 0 then array[1 + id % 12] end as tags,
      (60 + 90000 * power(random(), 4))::integer as answered, (3600 + 800000 * power(random(), 3))::integer as solved
    from tickets where id > ${start} and id <= ${end}),
  told (id, figure, after, value, seconds, by) as (
    select id, 'opened', 0, 1, null::integer, null::bigint from ticket
    union all select id, 'open', 0, 1, null, null from ticket
    union all select id, 'open', 30, -1, null, null from ticket
    union all select id, 'open', 30, 1, null, staff from ticket
    union all select id, 'replies', answered, 1, null, staff from ticket
    union all select id, 'replies', solved, 1, null, staff from ticket where id % 2 = 0
    union all select id, 'first_response', answered, 1, answered, staff from ticket
    union all select id, case when answered > 40000 then 'first_response.breached' else 'first_response.met' end, answered, 1, null, staff from ticket
    union all select id, case when solved > 400000 then 'resolution.breached' else 'resolution.met' end, solved, 1, null, staff from ticket
    union all select id, 'closed', solved, 1, null, staff from ticket where id % 25 > 0
    union all select id, 'open', solved, -1, null, staff from ticket where id % 25 > 0
    union all select id, 'resolution', solved, 1, solved, staff from ticket where id % 25 > 0
    union all select id, 'reopened', answered, 1, null, staff from ticket where id % 20 = 1
    union all select id, 'sent', solved, 1, null, staff from ticket where id % 2 = 1
    union all select id, case when id % 77 = 0 then 'bad' else 'good' end, solved, 1, null, staff from ticket where id % 7 = 0)
  insert into ticket_facts (ticket_id, number, figure, at, value, seconds, open_seconds, department_id, priority, channel, organisation_id, tag_ids, staff_id)
  select id, row_number() over (partition by id order by after) - 1, figure, opened + after * interval '1 second', value, seconds, seconds / 3,
    department_id, priority, channel, organisation, tags, by
  from told join ticket using (id) order by opened + after * interval '1 second'`
