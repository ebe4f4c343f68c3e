import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { anOrganisation } from '../../../test/support/organisations.ts'
import { aClient, aSupporter } from '../../../test/support/people.ts'
import { Failure } from '../../kit/errors.ts'
import type { Conditions } from './schemas.ts'
import { namedConditions, requireExisting, storedConditions } from './stored-conditions.ts'

const desk = await bootDesk()
const { db } = desk
const { rows: tags } = await sql<{ id: number }>`insert into tags (name) values ('Vip'), ('Fire') returning id`.execute(
  db
)
const [vip, fire] = [tags[0]!.id, tags[1]!.id]

const tagged = (...value: (string | number)[]): Conditions => ({
  all: [{ any: [{ field: 'tags', op: 'has_any', value }] }]
})

test('tags are stored by id and shown by their name of today, each once; what is no tag stays as it was given', async () => {
  const stored = await storedConditions(db, tagged('vIP', 'VIP', 'never made', fire))

  assert.deepEqual(stored, tagged(vip, 'never made', fire))
  assert.deepEqual(await namedConditions(db, [stored, { all: [] }, tagged(999)]), [
    tagged('Vip', 'never made', 'Fire'),
    { all: [] },
    tagged(999)
  ])
})

test('tags that an event had are stored by id too', async () => {
  const of = (field: string, value: (string | number)[]): Conditions => ({
    all: [{ any: [{ field, op: 'has_any', value }] }]
  })

  const stored = await storedConditions(db, of('event.after.tags', ['VIP']))

  assert.deepEqual(stored, of('event.after.tags', [vip]))
  assert.deepEqual(await namedConditions(db, [stored]), [of('event.after.tags', ['Vip'])])
})

test('definitions that act by themselves name only what there is, of every kind; what is not is told by its place', async () => {
  const [staff, client, organisation] = [
    (await aSupporter(desk, 'tickets.reply')).id,
    (await aClient(desk)).id,
    (await anOrganisation(desk)).id
  ]
  const tree = (offset: number): Conditions => ({
    all: [
      { any: [{ field: 'department_id', op: 'in', value: [4 + offset] }] },
      {
        any: [
          { field: 'status', op: 'is', value: 'Open' },
          { field: 'client_id', op: 'is', value: client + offset }
        ]
      },
      { any: [{ field: 'assigned_staff_id', op: 'is_not', value: staff + offset }] },
      { any: [{ field: 'organisation_id', op: 'is', value: organisation + offset }] },
      { any: [{ field: 'tags', op: 'has_none', value: [vip + offset] }] },
      { any: [{ field: 'tags', op: 'has_any', value: [offset ? 'never made' : fire] }] }
    ]
  })

  await requireExisting(db, tree(0))
  const refusal = await requireExisting(db, tree(1000)).catch((error: unknown) => error)

  assert.ok(refusal instanceof Failure)
  assert.deepEqual(
    [refusal.status, refusal.errors],
    [
      400,
      [
        'conditions.all.0.any.0.value',
        'conditions.all.1.any.1.value',
        'conditions.all.2.any.0.value',
        'conditions.all.3.any.0.value',
        'conditions.all.4.any.0.value',
        'conditions.all.5.any.0.value'
      ]
    ]
  )
})
