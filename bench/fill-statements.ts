import type pg from 'pg'
import type { Scale } from './fill-scale.ts'
import { sampleWords } from './sample-texts.ts'

/** Every table that is filled. */
export const tables = [
  ...['ticket_messages', 'events', 'tickets', 'ticket_words', 'clients', 'client_words'],
  ...['sessions', 'refresh_tokens', 'ticket_notes', 'ticket_tags', 'staff', 'staff_permissions', 'tags'],
  'ticket_counts'
]

/** Insert the texts that messages and tickets are chosen from. The search words of each text are computed once. */
export const insertTextPools = {
  texts: `insert into bench_texts select ordinality - 1, text, search_words(text)
    from unnest($1::text[]) with ordinality as given (text, ordinality)`,
  subjects: `insert into bench_subjects select ordinality - 1, left(text, 200)
    from unnest($1::text[]) with ordinality as given (text, ordinality)`
}

/** Looks the words of a text up where they have been made before, until `search_words.sql` is run again. */
export const wordsFromPool = [
  'create index on bench_texts (md5(text))',
  `create or replace function search_words(content text) returns tsvector
    language plpgsql immutable parallel safe strict set search_path from current as $$
    begin
      return coalesce((select words from bench_texts where md5(text) = md5(content)),
        to_tsvector('simple', search_fold(search_clean(content))) || search_stems(search_clean(content)));
    end $$`
]

const names = `array[${sampleWords.slice(100, 400).map(word => `'${word[0]!.toUpperCase()}${word.slice(1)}'`)}]`
const daysOfHistory = 700

/** Inserts clients and staff, with a session each. */
export function insertAccounts(scale: Scale, passwordHash: string): string[] {
  return [
    'select setseed(0.1)',
    `insert into clients (id, first_name, last_name, email, phone_number, company_name, city, password, is_email_verified,
        created_at, updated_at) overriding system value
      select n, (${names})[1 + n % 300], (${names})[1 + n * 7 % 300], 'client' || n || '@example' || n % 500 || '.test',
        '+1555' || lpad(n::text, 7, '0'), (${names})[1 + n * 13 % 300] || ' & Sons', 'Springfield', '${passwordHash}', true,
        moment, moment
      from (select n, now() - interval '${daysOfHistory} days' * random() as moment
        from generate_series(1, ${scale.clients}) as n) as given`,
    `update client_counts set clients = case shard when 0 then ${scale.clients} else 0 end`,
    `insert into client_words select made.* from clients cross join lateral words_of_clients(clients) as made`,
    `insert into staff (id, first_name, last_name, email, password, role) overriding system value
      select n, 'Staff' || n, 'Member', 'staff' || n || '@desk.test', '${passwordHash}',
        case n when 1 then 'admin' else 'supporter' end from generate_series(1, ${scale.staff}) as n`,
    `insert into staff_permissions (staff_id, permission_slug)
      select staff.id, slug from staff, permissions where role = 'supporter' and category in ('Clients', 'Tickets')`,
    `insert into sessions (user_type, user_id) select 'client', id from clients order by id`,
    `insert into sessions (user_type, user_id) select 'staff', id from staff order by id`,
    `insert into refresh_tokens (session_id, user_id, user_type, token, expires_at)
      select id, user_id, user_type, md5(id::text), now() + interval '30 days' from sessions`,
    `insert into tags (name) select 'tag' || n from generate_series(1, 12) as n`
  ]
}

/** Insert the tickets and, in chunks, all rows that belong to them. */
export const ticketStatements = {
  /** Draws the random properties of all tickets in one statement, so that the chunks can be inserted in any order. */
  plan: ({ tickets, clients, busyClients, busyTickets, longThreads, longThread }: Scale): string[] => [
    'select setseed(0.2)',
    `create unlogged table bench_plan as select n, messages,
        sum(messages) over (order by n rows unbounded preceding) - messages as before,
        case when drawn < ${(busyClients * busyTickets) / tickets} then 1 + n % ${busyClients}
          else least(${clients}, 1 + ${busyClients} + floor(${clients - busyClients} * power(drawn_client, 3))) end as client,
        drawn_status, drawn_staff, drawn_time
      from (
        select n, case when n % ${Math.floor(tickets / longThreads)} = ${Math.floor(tickets / longThreads / 2)} then ${longThread}
            else (array[2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 9, 10])[1 + floor(random() * 12)] end as messages,
          random() as drawn, random() as drawn_client, random() as drawn_status, random() as drawn_staff,
          random() as drawn_time
        from generate_series(1, ${tickets}) as n
      ) as draws`,
    'alter table bench_plan add primary key (n)'
  ],
  messages: 'select before from bench_plan where n = $1::bigint + 1',
  /** The tickets after `start`, up to `end`. */
  add: (start: number, end: number, before: number, { tickets, staff, texts }: Scale): string[] => [
    `insert into tickets (id, ticket_number, client_id, department_id, assigned_staff_id, subject, priority, status,
        message_count, created_at, updated_at, closed_at, version, unanswered_since, unanswered_of) overriding system value
      select n, ticket_number(n), client, (array[1, 1, 4, 5, 6])[1 + n % 5],
        case when drawn_staff < 0.7 then 2 + floor(drawn_staff / 0.7 * ${staff - 1}) end, subject,
        (array['Low', 'Medium', 'Medium', 'Medium', 'High', 'Critical'])[1 + n * 7 % 6], status, messages, opened,
        changed, case status when 'Closed' then changed end, messages, case when messages % 2 = 1 then changed end, messages
      from (select bench_plan.*,
          now() - interval '${daysOfHistory} days' * (1 - n::float / ${tickets}) as opened,
          least(now(), now() - interval '${daysOfHistory} days' * (1 - n::float / ${tickets})
            + interval '6 days' * power(drawn_time, 2)) as changed,
          case when n < ${tickets} * 0.96 or drawn_status < 0.25 then 'Closed' when drawn_status < 0.5 then 'Open'
            when drawn_status < 0.65 then 'In Progress' when drawn_status < 0.85 then 'Answered'
            else 'Customer-Reply' end as status
        from bench_plan where n > ${start} and n <= ${end}) as planned
        join bench_subjects on bench_subjects.id = n * 31 % 2000
      order by n`,
    // The messages of different threads are interleaved by time, as they would have been written.
    `create temporary table bench_messages as
      select ${before} + row_number() over (order by moment, ticket_id, place) as id, * from (
        select tickets.id as ticket_id, place, client_id, assigned_staff_id, status,
          tickets.created_at + (tickets.updated_at - tickets.created_at) * (place - 1) / greatest(message_count - 1, 1) as moment
        from tickets, generate_series(1, message_count) as place
        where tickets.id > ${start} and tickets.id <= ${end}) as planned`,
    `insert into ticket_messages (id, ticket_id, client_id, staff_id, sender_type, sender_first_name, sender_last_name,
        message, created_at) overriding system value
      select planned.id, ticket_id, case when place % 2 = 1 then client_id end,
        case when place % 2 = 0 then coalesce(assigned_staff_id, 2) end,
        case when place % 2 = 1 then 'client' else 'support' end, 'First', 'Last', text, moment
      from bench_messages as planned join bench_texts on bench_texts.id = planned.id * 7919 % ${texts} order by planned.id`,
    `insert into events (ticket_id, kind, actor_type, actor_id, actor_name, before, after, ip_address, created_at)
      select ticket_id, case place when 1 then 'ticket.created' else 'ticket.replied' end,
        case when place % 2 = 1 then 'client' else 'staff' end,
        case when place % 2 = 1 then client_id else coalesce(assigned_staff_id, 2) end, 'First Last', null,
        '{"status" : "Open"}', '203.0.113.7', moment
      from bench_messages order by id`,
    'drop table bench_messages',
    `insert into ticket_words
      select made.* from tickets cross join lateral words_of_tickets(tickets) as made
      where tickets.id > ${start} and tickets.id <= ${end} order by tickets.id`,
    `insert into ticket_tags select id, 1 + id % 12 from tickets where id > ${start} and id <= ${end} and id % 4 = 0`,
    `insert into ticket_notes (ticket_id, staff_id, author_first_name, author_last_name, note, created_at)
      select tickets.id, 2, 'Staff2', 'Member', text, created_at
      from tickets join bench_texts on bench_texts.id = tickets.id * 104729 % ${texts}
      where tickets.id > ${start} and tickets.id <= ${end} and tickets.id % 50 = 0`
  ]
}

/** Set the counters and the sequences, and drop the tables that only filling needed. */
export const finishingStatements = [
  `update clients set ticket_count = counted.tickets
    from (select client_id, count(*) as tickets from tickets group by client_id) as counted where client_id = clients.id`,
  ...['clients', 'staff', 'tickets', 'ticket_messages'].map(
    table => `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`
  ),
  `select setval('ticket_numbers', (select max(id) from tickets))`,
  'select recount_tickets()',
  'insert into event_places (place, event_id) select row_number() over (order by id), id from events',
  `update event_sequencer set last_place = (select max(place) from event_places), seen_id = (select max(id) from events)`,
  'drop table bench_texts, bench_subjects, bench_plan'
]

/** Throws if a counter differs from the rows. */
export async function verifyCounts(client: pg.Client, { tickets, clients }: Scale): Promise<void> {
  const { rows } = await client.query(`select
    (select count(*) from tickets) as tickets,
    (select sum(clients) from client_counts) as clients,
    (select count(*) from clients left join (select client_id, count(*) as tickets from tickets group by client_id) as counted
      on client_id = clients.id where ticket_count <> coalesce(tickets, 0)) as wrong_clients,
    (select count(*) from tickets join (select ticket_id, count(*) as messages from ticket_messages group by ticket_id) as counted
      on ticket_id = tickets.id where message_count = messages) as right_tickets,
    (select count(*) from ticket_messages where words = '') as wordless,
    (select count(*) from (select department_id, status, assigned_staff_id, count(*) from tickets group by 1, 2, 3
      except select department_id, status, assigned_staff_id, tickets from ticket_counts) as miscounted) as miscounted`)
  const found = Object.fromEntries(Object.entries(rows[0]).map(([name, value]) => [name, Number(value)]))
  const wanted = { tickets, clients, wrong_clients: 0, right_tickets: tickets, wordless: 0, miscounted: 0 }
  for (const [name, value] of Object.entries(wanted)) {
    if (found[name] !== value)
      throw new Error(`The filled database is not right: ${name} is ${found[name]}, not ${value}`)
  }
}
