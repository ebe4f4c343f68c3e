import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { bootSlaDesk } from './support/sla-desk.ts'

test('an admin who follows the page is warned of the first ticket', async () => {
  const page = await readFile(join(import.meta.dirname, '../docs/operations.md'), 'utf8')
  const [, block = ''] = /^```sh sla\n(.*?)^```/ms.exec(page) ?? []
  const calls = [...block.matchAll(/localhost:3000(\/api\/\S+).*?-d '(.*?)'$/gms)]
  const { at, opened, clockTo, toldOf } = await bootSlaDesk()
  let calendar = 0

  for (const [, path, body] of calls) {
    const data = await at(
      '2026-03-09T07:00:00Z',
      path!,
      JSON.parse(body!.replace('"calendar_id": 3', `"calendar_id": ${calendar}`))
    )
    calendar = data.calendar?.id ?? calendar
  }
  const ticket = await opened('2026-03-09T08:00:00Z')
  await clockTo('2026-03-09T11:30:00Z')

  assert.equal(calls.length, 2)
  assert.deepEqual(
    (await toldOf(ticket)).map(([kind]) => kind),
    ['sla.started', 'sla.warned']
  )
})
