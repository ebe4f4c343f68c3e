import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { aField } from '../../../test/support/fields.ts'
import { anOrganisation } from '../../../test/support/organisations.ts'
import { aClient, anAdmin, aSupporter } from '../../../test/support/people.ts'
import type { FieldValue } from '../../core/tables/fields.ts'
import { compileToSql } from './compile-to-sql.ts'
import { type ConditionField, fields } from './fields.ts'
import { type Facts, judge } from './judge-in-memory.ts'
import { type FieldKind, operators } from './operators.ts'
import type { Condition, Conditions } from './schemas.ts'
import { ticketFacts } from './ticket-facts.ts'

const desk = await bootDesk()
const { db } = desk
const now = new Date('2026-03-10T09:00:00Z')

// A department that the API names by another number than its row has.
await sql`insert into departments (id, deptid, name) values (7, 17, 'Returns')`.execute(db)
const people = {
  clients: await ids(3, () => aClient(desk)),
  organisations: await ids(2, () => anOrganisation(desk)),
  staff: await ids(2, () => aSupporter(desk, 'tickets.reply'))
}
const { rows: tags } = await sql<{ id: number }>`
  insert into tags (name) values ('vip'), ('Fire'), ('ä') returning id`.execute(db)
const letters = ['a', 'A', 'ß', 'Ä', 'ä', 'Σ', 'ς', 'İ', ' ', '%', '_', '\\', '😀']
const subjects = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 6 })
const days = ['2026-03-08', '2026-03-09', '2026-03-10']
const moments = fc
  .tuple(fc.constantFrom(...days), fc.constantFrom('00:00:00', '08:59:59.999', '09:00:00', '23:59:59'))
  .map(([day, time]) => `${day}T${time}Z`)

/** Tickets of every kind, with and without an assignee and tags, some at the very moments that conditions name. */
const tickets = fc.sample(
  fc.record({
    status: fc.constantFrom('Open', 'Answered', 'Closed'),
    priority: fc.constantFrom('Low', 'High'),
    department_id: fc.constantFrom(1, 4, 7),
    client_id: fc.constantFrom(...people.clients),
    organisation_id: fc.option(fc.constantFrom(...people.organisations)),
    assigned_staff_id: fc.option(fc.constantFrom(...people.staff)),
    subject: subjects.filter(text => text.trim() !== ''),
    created_at: moments,
    updated_at: moments,
    tags: fc.subarray(tags.map(({ id }) => id)),
    channel: fc.constantFrom('portal', 'email', 'form', 'staff', 'nobody wrote')
  }),
  { numRuns: 120, seed: 7 }
)
const custom = await insertFields()
const facts = await insertTickets()

function field<K extends string>(name: string, op: K, value: fc.Arbitrary<Condition['value']>) {
  return value.map(value => ({ field: name, op, ...(value === undefined ? {} : { value }) }) as Condition)
}

const values: Record<string, fc.Arbitrary<string | number>> = {
  ...Object.fromEntries(
    Object.entries(fields).flatMap(([name, { options }]: [string, ConditionField]) =>
      options ? [[name, fc.constantFrom(...options)]] : []
    )
  ),
  department_id: fc.constantFrom(1, 4, 5, 7, 17, 99),
  assigned_staff_id: fc.constantFrom(...people.staff, 999),
  client_id: fc.constantFrom(...people.clients, 999),
  organisation_id: fc.constantFrom(...people.organisations, 999),
  tags: fc.constantFrom(...tags.map(({ id }) => id), 999),
  subject: subjects
}

/** Custom fields of every kind, with values that tickets have and others. */
async function insertFields() {
  const admin = await anAdmin(desk)
  const options = [{ label: 'One' }, { label: 'Two' }, { label: 'Three' }]
  const kinds = [
    ['text', 'text', subjects.map(text => text.trim() || 'a')],
    ['number', 'number', fc.constantFrom(-2, 0, 1, 1.5, 12.5, 100)],
    ['date', 'time', fc.constantFrom(...days)],
    ['checkbox', 'checkbox', fc.boolean()],
    ['select', 'id', fc.constantFrom(1, 2, 3)],
    ['multi_select', 'tags', fc.subarray([1, 2, 3], { minLength: 1 })]
  ] as const
  const made = []
  for (const [kind, as, held] of kinds) {
    const isChoice = kind === 'select' || kind === 'multi_select'
    const { id } = await aField(desk, admin, { kind, ...(isChoice && { options }) })
    made.push({ name: `f${id}`, as, held: held as fc.Arbitrary<FieldValue> })
  }
  return made
}

/** A condition of any field, with each of its operators as often, and values that tickets have, or nothing has. */
const condition: fc.Arbitrary<Condition> = fc.oneof(
  ...Object.entries(fields)
    .filter(([, field]: [string, ConditionField]) => !field.isOfLists)
    .flatMap(([name, { kind }]: [string, ConditionField]) =>
      Object.entries(operators[kind]).map(([op, takes]) => field(name, op, valueFor(name, takes)))
    ),
  ...custom.flatMap(({ name, as }) =>
    Object.entries(operators[as]).map(([op, takes]) => field(name, op, valueFor(name, takes)))
  )
)

function valueFor(name: string, takes: string): fc.Arbitrary<Condition['value']> {
  if (takes === 'nothing') return fc.constant(undefined)
  if (takes === 'minutes') return fc.constantFrom(1, 60, 540, 2_000)
  if (takes === 'day') return fc.constantFrom(...days)
  if (takes === 'moment')
    return fc.oneof(moments, fc.constantFrom(...days, '2026-03-09 09:00:00', '2026-03-09T10:00:00+01:00'))
  const held = custom.find(each => each.name === name)
  const one = (values[name] ?? (held?.as === 'tags' ? fc.constantFrom(1, 2, 3) : held!.held)) as fc.Arbitrary<
    string | number
  >
  return takes === 'many' ? fc.array(one, { maxLength: 3 }) : one
}

const trees: fc.Arbitrary<Conditions> = fc.record({
  all: fc.array(fc.record({ any: fc.array(condition, { minLength: 1, maxLength: 3 }) }), { maxLength: 3 })
})

test('in SQL and in memory the same tickets fit, also those in which a field is not set', async () => {
  const judgements = { fitting: 0, failing: 0 }

  await fc.assert(
    fc.asyncProperty(trees, async conditions => {
      const inMemory = [...facts].filter(([, each]) => judge(conditions, each, now).fits).map(([id]) => id)
      judgements.fitting += inMemory.length
      judgements.failing += facts.size - inMemory.length
      assert.deepEqual(await fitting(conditions), inMemory)
    }),
    { numRuns: 400 }
  )

  assert.ok(judgements.fitting > 1_000 && judgements.failing > 1_000, JSON.stringify(judgements))
})

test('each field and operator alone says the same in SQL and in memory', async () => {
  const ofFields: [string, { kind: FieldKind }][] = [
    ...Object.entries(fields).filter(([, field]: [string, ConditionField]) => !field.isOfLists),
    ...custom.map(({ name, as }): [string, { kind: FieldKind }] => [name, { kind: as }])
  ]
  for (const [name, { kind }] of ofFields) {
    for (const [op, takes] of Object.entries(operators[kind])) {
      for (const one of fc.sample(field(name, op, valueFor(name, takes)), { numRuns: 8, seed: 3 })) {
        const conditions = { all: [{ any: [one] }] }
        const inMemory = [...facts].filter(([, each]) => judge(conditions, each, now).fits).map(([id]) => id)
        assert.deepEqual(await fitting(conditions), inMemory, JSON.stringify(one))
      }
    }
  }
})

test('"not assigned to Grace" means nobody as well; nobody is neither among some nor somebody', () => {
  const nobody: Facts = { assigned_staff_id: null, tags: [] }
  const fits = (field: string, op: Condition['op'], value?: Condition['value']) =>
    judge({ all: [{ any: [{ field, op, ...(value === undefined ? {} : { value }) }] }] }, nobody, now).fits

  assert.deepEqual(
    [fits('assigned_staff_id', 'is_not', 7), fits('assigned_staff_id', 'not_in', [7]), fits('tags', 'has_none', [7])],
    [true, true, true]
  )
  assert.deepEqual(
    [fits('assigned_staff_id', 'is', 7), fits('assigned_staff_id', 'in', [7]), fits('tags', 'has_any', [7])],
    [false, false, false]
  )
  assert.deepEqual(
    [fits('created_at', 'before', '2026-03-10'), fits('created_at', 'older_than', 1), fits('subject', 'contains', 'a')],
    [false, false, false]
  )
  assert.deepEqual([fits('tags', 'not_set'), fits('tags', 'is_set'), fits('subject', 'not_set')], [true, false, true])
})

test('a day is neither before nor after itself, in SQL and in memory', async () => {
  const { name } = custom.find(({ as }) => as === 'time')!
  const on = [...facts].filter(([, each]) => each[name] === '2026-03-09').map(([id]) => id)
  for (const op of ['before', 'after'] as const) {
    const conditions: Conditions = { all: [{ any: [{ field: name, op, value: '2026-03-09' }] }] }
    const inMemory = [...facts].filter(([, each]) => judge(conditions, each, now).fits).map(([id]) => id)
    const inSql = await fitting(conditions)

    assert.deepEqual(inSql, inMemory)
    assert.ok(inSql.length > 0 && on.length > 0 && !inSql.some(id => on.includes(id)), op)
  }
})

test('a judgement tells which conditions fitted with what the ticket has, and the first that failed', () => {
  const conditions: Conditions = {
    all: [
      {
        any: [
          { field: 'priority', op: 'is', value: 'High' },
          { field: 'tags', op: 'has_any', value: [3] }
        ]
      },
      {
        any: [
          { field: 'assigned_staff_id', op: 'is', value: 7 },
          { field: 'status', op: 'is', value: 'Closed' }
        ]
      }
    ]
  }
  const ticket: Facts = { priority: 'Low', tags: [3, 4], assigned_staff_id: null, status: 'Open', created_at: now }

  const failed = judge(conditions, ticket, now)
  const fitted = judge({ all: [conditions.all[0]!] }, ticket, now)

  assert.deepEqual(failed.failed, { field: 'assigned_staff_id', op: 'is', value: 7, actual: null, fits: false })
  assert.deepEqual(
    failed.groups.map(group => group.map(({ fits }) => fits)),
    [
      [false, true],
      [false, false]
    ]
  )
  assert.deepEqual([fitted.fits, fitted.failed], [true, undefined])
  assert.deepEqual(fitted.fitted, [{ field: 'tags', op: 'has_any', value: [3], actual: [3, 4], fits: true }])
  const opened = judge({ all: [{ any: [{ field: 'created_at', op: 'is', value: '2026-03-10' }] }] }, ticket, now)
  assert.equal(opened.fitted[0]?.actual, '2026-03-10T09:00:00.000Z')
  assert.equal(judge({ all: [] }, {}, now).fits, true)
})

/** The ids of the tickets that fit in SQL, in order. */
async function fitting(conditions: Conditions): Promise<number[]> {
  const compiled = compileToSql(conditions, now)
  const groups: RawBuilder<boolean>[] = compiled.of('tickets', { ...compiled.values, staff: 0 })
  const where = sql.join([sql.lit(true), ...groups], sql` and `)
  const { rows } = await sql<{ id: number }>`select id from tickets where ${where} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

async function insertTickets(): Promise<Map<number, Facts>> {
  const customValues = fc.sample(
    fc.tuple(...custom.map(({ name, held }) => fc.tuple(fc.constant(name), fc.option(held)))),
    {
      numRuns: tickets.length,
      seed: 11
    }
  )
  for (const { tags, channel, ...row } of tickets) {
    const client_email = channel === 'form' || channel === 'email' ? 'ada@example.com' : null
    const { rows } = await sql<{ id: number }>`insert into tickets
      (status, priority, department_id, client_id, organisation_id, client_email, assigned_staff_id, subject, created_at, updated_at)
      values (${row.status}, ${row.priority}, ${row.department_id}, ${row.client_id}, ${row.organisation_id}, ${client_email},
        ${row.assigned_staff_id}, ${row.subject}, ${row.created_at}, ${row.updated_at}) returning id`.execute(db)
    const { id } = rows[0]!
    await sql`insert into ticket_tags (ticket_id, tag_id) select ${id}, unnest(${tags}::bigint[])`.execute(db)
    const held = customValues.pop()!.filter(([, value]) => value !== null)
    if (held.length > 0) {
      await sql`insert into ticket_fields values (${id}, ${JSON.stringify(Object.fromEntries(held))}::jsonb)`.execute(
        db
      )
    }
    if (channel === 'nobody wrote') continue
    await sql`with message as (insert into ticket_messages (ticket_id, sender_type, sender_first_name, sender_last_name, message)
      values (${id}, ${channel === 'staff' ? 'support' : 'client'}, 'A', 'B', 'C') returning id)
      insert into message_emails (message_id, subject) select id, '' from message where ${channel === 'email'}`.execute(
      db
    )
  }
  const { rows } = await sql<{ id: number }>`select id from tickets order by id`.execute(db)
  const found = await ticketFacts(
    db,
    rows.map(({ id }) => id)
  )
  assert.equal(found.size, tickets.length)
  return new Map([...found].toSorted(([one], [other]) => one - other))
}

async function ids(count: number, make: () => Promise<{ id: number }>): Promise<number[]> {
  const made = []
  for (let at = 0; at < count; at++) made.push((await make()).id)
  return made
}
