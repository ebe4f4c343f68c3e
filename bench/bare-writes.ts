import pg from 'pg'
import type { ReplayStep } from './replay-steps.ts'

/** The scenarios whose writes have a second floor. */
export const bareScenarios = ['create', 'reply', 'status'] as const

export type BareScenario = (typeof bareScenarios)[number]

/** The path under which the bare server answers the same requests with bare writes. */
export function barePath(path: string): string {
  return `/bare${path}`
}

/** The same HTTP message, addressed to the bare writes of the floor's server. */
export function bareRequest(request: Buffer): Buffer {
  const begin = 'POST '.length
  return Buffer.concat([request.subarray(0, begin), Buffer.from('/bare'), request.subarray(begin)])
}

export function isBare(scenario: string): scenario is BareScenario {
  return (bareScenarios as readonly string[]).includes(scenario)
}

/**
 * Makes tables beside those of Deskline that hold the same rows and have a primary key, but no other index, reference, check or
 * trigger. The tickets are copied, so that those of the requests are there; messages and events begin empty.
 */
export async function makeBareTables(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('drop schema if exists bare cascade; create schema bare')
    for (const table of ['tickets', 'ticket_messages', 'events']) {
      await client.query(
        `create table bare.${table} (like public.${table} including defaults including identity including generated, primary key (id))`
      )
    }
    await client.query('insert into bare.tickets overriding system value select * from public.tickets')
    await client.query(
      `select setval(pg_get_serial_sequence('bare.tickets', 'id'), (select max(id) from bare.tickets))`
    )
    await client.query('vacuum (analyze) bare.tickets')
  } finally {
    await client.end()
  }
}

/** Two statements: Deskline's own authentication of the request, and the bare write in place of all others. */
export function bareSteps(scenario: BareScenario, steps: readonly ReplayStep[]): ReplayStep[] {
  const lookUp = steps.findIndex(({ text }) => /\b(insert into|update) "/i.test(text))
  const { text, sources } = writes[scenario]
  return [...steps.slice(0, lookUp), { text, name: `bare ${scenario}`, sources }]
}

type Source = ReplayStep['sources'][number]

const field = (name: string, isText: boolean): Source => ({
  from: 'request',
  field: name,
  around: ['', ''],
  isText,
  isLower: false
})
const clock: Source = { from: 'clock', offsetMilliseconds: 0, isText: false }

const message = `message as (
    insert into bare.ticket_messages (ticket_id, client_id, sender_type, sender_first_name, sender_last_name, message, created_at)
    select id, $1::bigint, 'client', 'First', 'Last', $2::text, $3::timestamptz from ticket returning id, ticket_id, message)`

function event(kind: string, before: string, after: string, from = 'ticket'): string {
  return `event as (
    insert into bare.events
      (ticket_id, kind, before, after, actor_type, actor_id, actor_name, ip_address, request_id, created_at)
    select ticket.id, '${kind}', ${before}::json, ${after}::json, 'client', $1::bigint, 'First Last', '127.0.0.1',
      '01234567-89ab-4cde-8f01-23456789abcd', $3::timestamptz from ${from})`
}

/** The first parameter is the client, the second what they write, the third the time, the fourth the ticket or its subject. */
export const writes: Record<BareScenario, { text: string; sources: Source[] }> = {
  create: {
    text: `with ticket as (
      insert into bare.tickets (client_id, department_id, subject, priority, message_count, created_at, updated_at)
      values ($1, 1, $4, 'Medium', 1, $3, $3) returning *), ${message},
      ${event('ticket.created', 'null', '\'{"status" : "Open", "priority" : "Medium"}\'')}
      select ticket.*, message.id as message_id, message from ticket, message`,
    sources: [field('account', false), field('message', true), clock, field('subject', true)]
  },
  reply: {
    text: `with ticket as (
      update bare.tickets set message_count = message_count + 1, status = 'Customer-Reply', updated_at = $3,
        version = version + 1 where id = $4 returning *), ${message},
      ${event('ticket.replied', '\'{"status" : "Open"}\'', "json_build_object('status', status, 'message_id', message.id)", 'ticket, message')}
      select ticket.*, message.id as message_id, message from ticket, message`,
    sources: [field('account', false), field('message', true), clock, field('id', false)]
  },
  status: {
    text: `with ticket as (
      update bare.tickets set status = $2::text, updated_at = $3, version = version + 1 where id = $4 returning *),
      ${event('ticket.status_changed', '\'{"status" : "Open"}\'', "json_build_object('status', status)")}
      select id, status from ticket`,
    sources: [field('account', false), field('status', true), clock, field('id', false)]
  }
}
