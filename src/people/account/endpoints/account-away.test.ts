import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { sequencedDatabase } from '../../../../test/support/sequenced-database.ts'

const desk = await bootDesk({ connections: 3 })
const [admin, grace] = [await anAdmin(desk), await aSupporter(desk, 'tickets.reply')]
const away = (body: object) => desk.post('/api/account/away', grace, body)
const later = () => new Date(desk.clock.now().getTime() + 3_600_000).toISOString()

/** Until when she is away, as the profile, the staff and the colleagues tell it. */
async function shown() {
  const profile = (await desk.post('/api/account/profile', grace)).data.profile
  const staff = (await desk.post('/api/admin/staff/list', admin)).data.staff
  const colleagues = (await desk.post('/api/admin/colleagues/list', admin)).data.colleagues
  const own = ({ id }: { id: number }) => id === grace.id
  return [profile, staff.find(own), colleagues.find(own)].map(({ away_until }) => away_until)
}

test('a member of staff says until when they are away, and all who see staff see it', async () => {
  const until = later()

  const set = await away({ until })
  const seen = await shown()
  const again = await away({ until })
  const back = await away({ until: null })
  const log = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('target_type', '=', 'staff')
    .where('target_id', '=', grace.id)
    .select('after')
    .execute()

  assert.deepEqual([set.status, set.data.away_until, again.status], [200, until, 200])
  assert.deepEqual(seen, [until, until, until])
  assert.deepEqual([back.data.away_until, await shown()], [null, [null, null, null]])
  assert.deepEqual(
    log.map(({ after }) => after),
    [{ fields: ['away_until'] }, { fields: ['away_until'] }]
  )
})

test('a time that is past or none is refused, and clients are not asked', async () => {
  const past = await away({ until: desk.clock.now().toISOString() })
  const none = await away({ until: 'tomorrow' })
  const client = await desk.post('/api/account/away', await aClient(desk), { until: later() })

  assert.deepEqual(
    [past, none, client].map(({ status }) => status),
    [400, 400, 403]
  )
  assert.deepEqual([past.body.errors, none.body.errors], [['until'], ['until']])
  assert.deepEqual(await shown(), [null, null, null])
})
