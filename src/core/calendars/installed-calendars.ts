import { sql } from 'kysely'
import type { Act } from '../acts/act.ts'
import { prepared } from '../db.ts'

/** The calendars that the migration makes, as long as nobody has changed or used them: at the first run they take the zone of the desk. */
export async function moveInstalledCalendars(act: Act, zone: string): Promise<void> {
  for (const { id, name, version } of await move(act.db, { zone, now: act.now })) {
    act.happened({
      kind: 'calendar.changed',
      subject: { type: 'calendar', id },
      before: { name, version: version - 1, time_zone: installedZone },
      after: { name, version, time_zone: zone }
    })
  }
}

const installedZone = 'UTC'
const installed = ['Always', 'Mon–Fri 9–17']

const move = prepared((db, p: { zone: string; now: Date }) =>
  db
    .updateTable('calendars')
    .where('name', 'in', installed)
    .where('version', '=', sql.lit(1))
    .where('time_zone', '=', installedZone)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('definition_uses')
            .select('used_id')
            .where('used_kind', '=', sql.lit('calendar' as const))
            .whereRef('used_id', '=', 'calendars.id')
        )
      )
    )
    .set({ time_zone: p.zone, updated_at: p.now, revision: sql<string>`gen_random_uuid()` })
    .returning(['id', 'name', 'version'])
)
