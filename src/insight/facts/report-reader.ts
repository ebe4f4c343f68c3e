import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { DeskEvent } from '../../core/events/event.ts'
import { catchUpWithLog, type SteppingReader } from '../../core/events/follow-log.ts'
import type { Services } from '../../core/services.ts'
import { slaReader } from '../../tickets/sla/clock-reader.ts'
import { askToFill } from './fill-facts.ts'
import { lockReports } from './report-state.ts'
import { changeFacts, closeGone, markAllDirty, refreshFacts } from './store-facts.ts'

/**
 * Follows the log for what reports count. Each ticket that something happened to is counted anew as a whole, from its timeline, so that nothing has
 * to be known of what an undo, a merge or a restore takes back.
 */
export function reportReader(services: Pick<Services, 'clock'>): SteppingReader {
  return {
    name: 'reports',
    async *steps(db, events) {
      // How clocks ended is read from them, since no event says that of a late one: they are not behind.
      await catchUpWithLog(db, slaReader(services))
      if (events.length > 0) yield { upTo: events.at(-1)!.id, run: db => countEvents(db, events, services.clock.now()) }
    }
  }
}

async function countEvents(db: Db, events: readonly DeskEvent[], now: Date): Promise<void> {
  await lockReports(db)
  const ids = new Set(events.filter(isCounted).map(({ ticket_id }) => ticket_id!))
  if (ids.size > 0) await refreshFacts(db, [...ids], { now, removed: removedBy(events) })
  for (const event of events) await followDefinition(db, event, now)
  const erased = events.findLast(({ kind }) => kind === 'client.deleted')
  if (erased) await closeGone(db, { at: erased.at, now })
}

const passedOver: ReadonlySet<string> = new Set([
  ...([
    'ticket.noted',
    'ticket.watched',
    'ticket.unwatched',
    'ticket.follower_added',
    'ticket.follower_removed'
  ] as const),
  ...([
    'ticket.field_changed',
    'ticket.delivery_changed',
    'ticket.linked',
    'ticket.unlinked',
    'ticket.timer_removed',
    'ticket.draft_taken',
    'ticket.emails_turned_on'
  ] as const),
  ...(['ticket.client_emailed', 'ticket.staff_notified', 'ticket.webhook_called', 'ticket.woken'] as const),
  ...(['sla.started', 'sla.warned'] as const)
])

function isCounted({ ticket_id, kind }: DeskEvent): boolean {
  return ticket_id !== null && !passedOver.has(kind)
}

/** The tickets that are gone for good, and count no more. */
function removedBy(events: readonly DeskEvent[]): Set<number> {
  const gone = events.filter(({ kind }) => kind === 'ticket.purged' || kind === 'ticket.unsplit')
  return new Set(gone.flatMap(({ ticket_id }) => ticket_id ?? []))
}

/** What changes many tickets at once, or how all are counted. */
async function followDefinition(db: Db, event: DeskEvent, now: Date): Promise<void> {
  const id = event.subject_id
  switch (event.kind) {
    case 'department.deleted': {
      // Its tickets tell of their move themselves; what was counted of erased ones goes along, or is in none where nothing was moved. Where that
      // department was deleted meanwhile, a later event tells where they are.
      const where = sql<boolean>`department_id = ${id} and not exists (select from tickets where tickets.id = ticket_id)`
      // An event names departments by their public number, and facts by the row.
      const to = event.after?.moved_to ?? 0
      const into = sql`coalesce((select id from departments where deptid = ${to}::bigint), ${to}::bigint)`
      await changeFacts(db, { where, set: sql`department_id = ${into}`, now })
      break
    }
    case 'organisation.merged':
      await changeFacts(db, {
        where: sql`organisation_id = ${id}`,
        set: sql`organisation_id = ${event.after.into_id}`,
        now
      })
      break
    case 'organisation.deleted':
      await changeFacts(db, { where: sql`organisation_id = ${id}`, set: sql`organisation_id = null`, now })
      break
    case 'tag.merged': {
      const merged = sql`array_replace(tag_ids, ${id}::bigint, ${event.after.into_id}::bigint)`
      const set = sql`tag_ids = (select array_agg(distinct tag order by tag) from unnest(${merged}) as tag)`
      await changeFacts(db, { where: sql`tag_ids @> array[${id}::bigint]`, set, now })
      break
    }
    case 'tag.deleted': {
      const set = sql`tag_ids = nullif(array_remove(tag_ids, ${id}::bigint), '{}')`
      await changeFacts(db, { where: sql`tag_ids @> array[${id}::bigint]`, set, now })
      break
    }
    case 'calendar.changed':
      if (await isDefaultCalendar(db, event)) await askToFill(db, now)
      break
    case 'setting.changed': {
      const { time_zone: zone } = event.after as { time_zone?: unknown }
      if (typeof zone === 'string') await changeZone(db, zone, now)
      break
    }
  }
}

/** Whether it is the calendar with which reports count, which may have been another one until now. */
async function isDefaultCalendar(db: Db, { subject_id }: DeskEvent): Promise<boolean> {
  return subject_id !== null && (await defaultCalendar(db, { id: subject_id })).length > 0
}

const defaultCalendar = prepared((db, p: { id: number }) =>
  db.selectFrom('calendars').where('id', '=', p.id).where('is_default', '=', true).select('id')
)

async function changeZone(db: Db, zone: string, now: Date): Promise<void> {
  await setZone(db, { zone })
  // Those of the former zone have to be added up again too: they may be empty then.
  await markAllDirty(db, { now })
  // The calendars that came with the installation have moved along.
  await askToFill(db, now)
}

const setZone = prepared((db, p: { zone: string }) =>
  db.updateTable('report_state').set(eb => ({ zone: p.zone, version: eb('version', '+', 1) }))
)
