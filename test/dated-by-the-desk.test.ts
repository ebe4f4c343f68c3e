import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { endpoints } from '../src/endpoints.ts'
import { deliverDue } from '../src/outward/webhooks/keep-delivering.ts'
import { bootDesk } from './support/desk.ts'
import { aClient, anAdmin } from './support/people.ts'
import { staffWrites } from './support/staff-writes.ts'
import { aTicket } from './support/tickets.ts'

// With a clock that was set, everything of the desk is dated by it. What stands here goes by the machine's clock, with the reason.
const real: Record<string, string> = {
  api_tokens: 'expire by the machine’s clock, as sessions do',
  email_changes: 'links that expire',
  event_streams: 'a connection of now',
  idempotency_keys: 'expire in a day',
  known_devices: 'as sessions, which they open',
  kysely_migration: 'when this database was made',
  login_challenges: 'expire',
  passkey_challenges: 'expire',
  passkeys: 'as sessions, which they open',
  presences: 'forgotten after half a minute',
  rate_limits: 'windows',
  refresh_tokens: 'expire',
  reset_tokens: 'expire',
  schema_compatibility: 'made with the database',
  sessions: 'live by the machine’s clock',
  sign_in_failures: 'windows',
  staff_reset_tokens: 'expire',
  stream_processes: 'a process of now',
  unconfirmed_tickets: 'expire',
  verification_codes: 'expire',
  webhook_attempts: 'deliveries go by the machine’s clock',
  webhook_deliveries: 'the same',
  webhook_secrets: 'in force for a day after they were replaced',
  webhooks: 'fail for days of the machine’s clock',
  widget_secrets: 'in force for a day after they were replaced'
}
/** The tests write into these themselves, so that the database dates the rows. */
const writtenByTests = ['calendars', 'clients', 'staff', 'staff_permissions', 'ticket_followers']

test('everything that people see is dated by the clock of the desk', async () => {
  const desk = await bootDesk({ config: { TEST_CLOCK: true }, connections: 4 })
  const admin = await anAdmin(desk)
  await desk.post('/api/test/clock', admin, { now: '2031-03-10T09:00:00Z' })
  const begun = await lateRows(desk)
  const client = await aClient(desk)
  const { ticket_id } = await aTicket(desk, client)
  await desk.post('/api/tickets/reply', client, { id: ticket_id, message: 'More' })
  await desk.post('/api/tickets/status', client, { id: ticket_id, status: 'Closed' })
  // Whatever shuts the desk to others comes last.
  const paths = endpoints
    .map(({ path }) => path)
    .filter(path => staffWrites[path] && path !== '/api/admin/settings/update')
  for (const path of paths) {
    const { body, by = admin, after } = await staffWrites[path]!({ desk, admin })
    await desk.post(path, by, body)
    await after?.()
  }
  await desk.post('/api/test/clock', admin, { advance_seconds: 3600 })
  await deliverDue(desk.services).catch(() => {})

  const late = await lateRows(desk)

  const newly = Object.entries(late).filter(([column, rows]) => rows > (begun[column] ?? 0))
  const unexpected = newly.map(([column]) => column).filter(column => !Object.hasOwn(real, column.split('.')[0]!))
  assert.deepEqual(
    unexpected.filter(column => !writtenByTests.includes(column.split('.')[0]!)),
    []
  )
})

test('whoever signs up, is invited or hired has the time of the desk', async () => {
  const desk = await bootDesk({ config: { TEST_CLOCK: true } })
  const admin = await anAdmin(desk)
  await desk.post('/api/test/clock', admin, { now: '2031-03-10T09:00:00Z' })
  const person = { first_name: 'Ada', last_name: 'Byron', password: 'correct horse' }

  await desk.post('/api/auth/signup', undefined, { ...person, email: 'signed.up@example.com' })
  await desk.post('/api/admin/clients/create', admin, { ...person, email: 'invited@example.com' })
  await desk.post('/api/admin/staff/create', admin, {
    ...person,
    email: 'hired@example.com',
    permissions: ['tickets.reply']
  })

  const clients = await desk.db.selectFrom('clients').select(['created_at', 'updated_at']).execute()
  const staff = await desk.db.selectFrom('staff').where('id', '<>', admin.id).select(['created_at']).execute()
  const grants = await desk.db.selectFrom('staff_permissions').select('created_at').execute()
  const times = [...clients, ...staff, ...grants].flatMap(row => Object.values(row).map(time => time.toISOString()))
  assert.deepEqual(times, Array(6).fill('2031-03-10T09:00:00.000Z'))
})

/** How many rows have a time of the machine's clock in a column, by table and column. */
async function lateRows({ db }: Awaited<ReturnType<typeof bootDesk>>): Promise<Record<string, number>> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    join pg_class on relname = table_name and relkind = 'r'
    where table_schema = 'public' and data_type = 'timestamp with time zone' order by 1, 2`.execute(db)
  const found: Record<string, number> = {}
  for (const { table, column } of columns) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(table)}
      where ${sql.ref(column)} between now() - interval '1 day' and now() + interval '1 day'`.execute(db)
    found[`${table}.${column}`] = rows[0]!.count
  }
  return found
}
