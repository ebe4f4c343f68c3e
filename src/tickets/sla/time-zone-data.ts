import { sql } from 'kysely'
import { system } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'

/**
 * At startup: if Node has other data of time zones than those by which the clocks were counted, their calendars are other ones from now on, and the
 * log says so, whereupon the clocks are counted again as after any change of a calendar. Of several processes one says it.
 */
export async function recountByTimeZoneData(services: ActServices, version: string | undefined): Promise<void> {
  // A Node without data of its own does not tell theirs.
  if (version === undefined) return
  const [known] = await storedVersion(services.db, {})
  if (known?.value === version) return
  await act(services, system, async act => {
    const { db, now } = act
    const value = JSON.stringify(version)
    if (!known) {
      await note(db, { value, now })
      return
    }
    if ((await replace(db, { value, former: JSON.stringify(known.value), now })).length === 0) return
    for (const { id, name, version: each } of await countingCalendars(db, {})) {
      act.happened({
        kind: 'calendar.changed',
        subject: { type: 'calendar', id },
        before: { name, version: each, time_zone_data: String(known.value) },
        after: { name, version: each, time_zone_data: version }
      })
    }
  })
}

const setting = 'time_zone_data'

const storedVersion = prepared(db =>
  db.selectFrom('desk_settings').where('name', '=', sql.lit(setting)).select('value')
)

const note = prepared((db, p: { value: string; now: Date }) =>
  db
    .insertInto('desk_settings')
    .values({ name: setting, value: p.value, updated_at: p.now })
    .onConflict(conflict => conflict.column('name').doNothing())
)

const replace = prepared((db, p: { value: string; former: string; now: Date }) =>
  db
    .updateTable('desk_settings')
    .where('name', '=', sql.lit(setting))
    .where('value', '=', sql<string>`${p.former}::jsonb`)
    .set({ value: p.value, updated_at: p.now })
    .returning('name')
)

/** The calendars with hours by which open clocks count, or have counted a part. */
const countingCalendars = prepared(db =>
  db
    .selectFrom('calendars')
    .where('is_always', '=', sql.lit(false))
    .where(
      'id',
      'in',
      sql<number>`(select calendar_id from sla_clocks where ended_at is null
        union select (entry ->> 2)::bigint from sla_clocks, jsonb_array_elements(ledger) as entry where ended_at is null)`
    )
    .select(['id', 'name', 'version'])
    .orderBy('id')
)
