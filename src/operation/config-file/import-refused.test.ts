import assert from 'node:assert/strict'
import { test } from 'node:test'
import { any, aSide, berlin, exportOf, importTo, target, weekday } from '../../../test/support/config-files.ts'
import { isReplayed, newIdempotencyKey, postWithKey } from '../../../test/support/idempotency-keys.ts'
import { aClient, aSupporter } from '../../../test/support/people.ts'
import { tableContents } from '../../../test/support/table-contents.ts'

test('an import with an idempotency key is done once, refusals or not', async () => {
  const side = await aSide()
  const key = newIdempotencyKey()
  const body = { config: { tags: [{ name: 'one' }, { name: 'one ' }, { name: 'two' }] } }

  const first = await postWithKey(side.desk, key, '/api/admin/config/import', side.admin, body)
  const again = await postWithKey(side.desk, key, '/api/admin/config/import', side.admin, body)

  assert.deepEqual([first.data.created, first.data.refused.length, isReplayed(again)], [1, 2, true])
  assert.deepEqual(again.data, first.data)
})

test('each refusal is told by kind and name, and the others are imported', async () => {
  const side = await aSide()
  const { desk, admin } = side
  for (const _ of ['once', 'again']) await desk.post('/api/admin/departments/create', admin, { name: 'Twice' })
  const { calendar } = (await desk.post('/api/admin/calendars/create', admin, { ...berlin, name: 'Old' })).data
  await desk.post('/api/admin/calendars/archive', admin, { id: calendar.id })
  const policy = (name: string, rest: object) => ({ name, targets: [], ...rest })
  const department = (value: unknown) => ({ conditions: { all: [any('department_id', 'is', value)] } })

  const done = await importTo(side, {
    departments: [{ name: 'Twice', description: 'New' }, { name: 'Fine' }],
    calendars: [
      { ...berlin, name: 'Old' },
      { ...berlin, name: 'Nowhere', time_zone: 'Mars/Base' }
    ],
    sla_policies: [
      policy('Numbered', department(1)),
      policy('Nameless', department('Nobody')),
      policy('Ambiguous', department('Twice')),
      policy('Late', { targets: [target('Gone')] }),
      policy('Archived', { targets: [target('Old')] }),
      policy('Untagged', { conditions: { all: [any('tags', 'has_any', ['unknown'])] } }),
      policy('Broken', { conditions: { all: 'x' }, targets: 7 }),
      policy('Misspelt', { id: 3, is_actve: 1 }),
      policy('Good', department('Fine')),
      { targets: [] },
      policy('Same', {}),
      policy('Same', {}),
      policy('Nul', { targets: [target('a\u0000b')] })
    ]
  })

  assert.deepEqual(
    done.refused.map(({ kind, name, reason }: Record<string, string>) => `${kind} ${name}: ${reason}`),
    [
      'department Twice: More than one has this name here',
      'calendar Old: One with this name is archived here',
      'calendar Nowhere: There is no time zone Mars/Base: it is the name of one like Europe/Berlin',
      'sla_policy Numbered: A department is told by its name here, not by 1',
      'sla_policy Nameless: There is no department “Nobody” here',
      'sla_policy Ambiguous: Here “Twice” is the name of more than one department',
      'sla_policy Late: There is no calendar “Gone” here',
      'sla_policy Archived: targets.0.calendar_id: the calendar “Old” is archived',
      'sla_policy Untagged: conditions.all.0.any.0.value names what does not exist',
      'sla_policy Broken: conditions.all must be a list of groups; targets must be a list',
      'sla_policy Misspelt: Unknown fields: id, is_actve',
      'sla_policy : Missing required fields: name',
      'sla_policy Same: The file has this name more than once',
      'sla_policy Same: The file has this name more than once',
      'sla_policy Nul: There is no calendar “a\u0000b” here'
    ]
  )
  assert.deepEqual([done.created, done.updated], [2, 0])
})

test('a file that has lists of no kind, or no lists, is refused as a whole', async () => {
  const { desk, admin } = await aSide()
  const post = (config: unknown) => desk.post('/api/admin/config/import', admin, { config })

  const replies = [
    await post({ webhooks: [] }),
    await post({ tags: {} }),
    await post({ tags: ['vip'] }),
    await post([])
  ]

  assert.deepEqual(
    replies.map(({ status }) => status),
    [400, 400, 400, 400]
  )
  assert.deepEqual(replies[0]!.body.errors, ['config.webhooks'])
})

test('past hours change only where the file says recompute_past', async () => {
  const side = await aSide()
  const past = (day: string) => ({ ...berlin, weeks: [{ valid_from: null, hours: { [day]: weekday } }] })
  await importTo(side, { calendars: [past('mon')] })

  const refused = await importTo(side, { calendars: [past('tue')] })
  const done = await importTo(side, { calendars: [{ ...past('tue'), recompute_past: 1 }] })

  assert.match(refused.refused[0].reason, /recompute_past: 1/)
  assert.equal(done.updated, 1)
})

test('admins alone export and import', async () => {
  const { desk } = await aSide()
  const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.edit_status', 'departments.manage')
  const ada = await aClient(desk)
  const before = await tableContents(desk)

  for (const asker of [undefined, grace, ada]) {
    const status = asker ? 403 : 401
    assert.equal((await desk.post('/api/admin/config/export', asker, {})).status, status)
    assert.equal(
      (await desk.post('/api/admin/config/import', asker, { config: { tags: [{ name: 'x' }] } })).status,
      status
    )
  }

  assert.deepEqual(await tableContents(desk), before)
})

test('a webhook that a macro calls is chosen by hand, and what is in a macro already may stay', async () => {
  const side = await aSide()
  const { desk, admin } = side
  const { webhook } = (await desk.post('/api/admin/webhooks/create', admin, { url: 'https://192.0.3.1/s' })).data
  const actions = [{ webhook: webhook.id }]
  await desk.post('/api/admin/macros/create', admin, { name: 'Call', actions, is_shared: 1 })
  const { macros } = await exportOf(side)

  const same = await importTo(side, { macros })
  const other = await importTo(side, { macros: [{ ...macros[0], name: 'Other' }] })

  assert.equal(same.unchanged, 1)
  const reason = 'A webhook has no name that a file could tell: choose it by hand'
  assert.deepEqual(other.refused, [{ kind: 'macro', name: 'Other', reason }])
})
