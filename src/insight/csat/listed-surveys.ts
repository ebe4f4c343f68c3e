import { sql } from 'kysely'
import { hasPermission, type StaffActor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { maxId } from '../../kit/schemas.ts'
import { channelOf } from '../../tickets/conditions/channel.ts'
import { deskVisibility, preparedForVisible } from '../../tickets/ticket/visibility.ts'
import { requireDays } from '../reports/days.ts'

export const limits = { fallback: 50, max: 200 }

interface Asked {
  rating?: 'good' | 'bad'
  state?: 'rated' | 'sent' | 'voided' | 'waiting'
  with_comment?: 0 | 1
  ticket_id?: number
  from?: string
  to?: string
  staff_id?: number | null
  department_id?: number
  tag?: string
  priority?: string
  organisation_id?: number | null
  channel?: string
  cursor?: string
  limit?: number
}

/**
 * A page of the closings of tickets that the actor sees, the newest first. Without `tickets.view_all` only what is said of oneself. Throws
 * `InvalidFields` for a cursor of another list.
 */
export async function listedSurveys(db: Db, actor: StaffActor, asked: Asked) {
  const limit = Math.min(asked.limit ?? limits.fallback, limits.max)
  const staff = hasPermission(actor, 'tickets.view_all') ? asked.staff_id : actor.id
  if (asked.from !== undefined || asked.to !== undefined) requireDays(asked)
  const rows = await page(db, deskVisibility(actor), {
    rating: asked.rating ?? null,
    state: asked.state ?? null,
    hasComment: asked.with_comment === 1,
    ticket: asked.ticket_id ?? null,
    from: asked.from ?? null,
    to: asked.to ?? null,
    // Nobody is 0, and whoever it is null.
    staff: staff === undefined ? null : (staff ?? 0),
    department: asked.department_id ?? null,
    tag: asked.tag ?? null,
    priority: asked.priority ?? null,
    organisation: asked.organisation_id === undefined ? null : (asked.organisation_id ?? 0),
    channel: asked.channel ?? null,
    before: asked.cursor === undefined ? maxId : placeOf(asked.cursor),
    limit: limit + 1
  })
  const shown = rows.slice(0, limit)
  return {
    surveys: shown.map(({ ticket_id, ticket_number, subject, ...row }) => ({
      ...row,
      ticket: { id: ticket_id, ticket_number, subject },
      closed_at: row.closed_at.toISOString(),
      sent_at: row.sent_at?.toISOString() ?? null,
      rated_at: row.rated_at?.toISOString() ?? null,
      changed_at: row.changed_at?.toISOString() ?? null
    })),
    next_cursor: rows.length > limit ? Buffer.from(String(shown.at(-1)!.id)).toString('base64url') : null
  }
}

function placeOf(cursor: string): number {
  const place = Number(Buffer.from(cursor, 'base64url').toString())
  if (Number.isSafeInteger(place) && place > 0) return place
  throw InvalidFields({ message: 'cursor is not one of this list: take it from the page before', errors: ['cursor'] })
}

interface Page {
  rating: string | null
  state: string | null
  hasComment: boolean
  ticket: number | null
  from: string | null
  to: string | null
  staff: number | null
  department: number | null
  tag: string | null
  priority: string | null
  organisation: number | null
  channel: string | null
  before: number
  limit: number
}

/** The day of the first rating, by which reports count it; of what was not rated, that of the closing. */
const bookedOn = sql`(coalesce(rated_at, csat_surveys.closed_at) at time zone (select zone from report_state))::date`

const page = preparedForVisible((tickets, p: Page) =>
  tickets
    .innerJoin('csat_surveys', 'csat_surveys.ticket_id', 'tickets.id')
    .leftJoin('staff', 'staff.id', 'csat_surveys.credited_staff_id')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .where('csat_surveys.id', '<', p.before)
    // N1: reports do not count those of tickets that were merged into others; asked for the ticket itself they are told.
    .where(sql<boolean>`(merged_into_id is null or ${p.ticket}::bigint is not null)`)
    .where(sql<boolean>`(${p.rating}::text is null or rating = ${p.rating}::text)`)
    .where(sql<boolean>`(${p.ticket}::bigint is null or csat_surveys.ticket_id = ${p.ticket}::bigint)`)
    .where(sql<boolean>`(${p.staff}::bigint is null or coalesce(credited_staff_id, 0) = ${p.staff}::bigint)`)
    .where(sql<boolean>`(not ${p.hasComment}::boolean or comment is not null)`)
    .where(sql<boolean>`(${p.from}::date is null or ${bookedOn} >= ${p.from}::date)`)
    .where(sql<boolean>`(${p.to}::date is null or ${bookedOn} <= ${p.to}::date)`)
    .where(
      sql<boolean>`(${p.department}::bigint is null
        or tickets.department_id = (select id from departments where deptid = ${p.department}::bigint))`
    )
    .where(
      sql<boolean>`(${p.tag}::text is null or exists (select from ticket_tags join tags on tags.id = tag_id
        where ticket_id = tickets.id and lower(name) = lower(${p.tag}::text)))`
    )
    .where(sql<boolean>`(${p.priority}::text is null or tickets.priority = ${p.priority}::text)`)
    .where(
      sql<boolean>`(${p.organisation}::bigint is null or coalesce(tickets.organisation_id, 0) = ${p.organisation}::bigint)`
    )
    .where(sql<boolean>`(${p.channel}::text is null or coalesce(${channelOf}, 'portal') = ${p.channel}::text)`)
    .where(sql<boolean>`(${p.state}::text is null or ${p.state}::text = case when rating is not null then 'rated'
      when sent_at is not null then 'sent' when voided_reason is not null then 'voided' else 'waiting' end)`)
    .select(['csat_surveys.id', 'csat_surveys.ticket_id', 'tickets.ticket_number', 'tickets.subject'])
    .select(['csat_surveys.sent_at', 'voided_reason', 'rating', 'comment', 'rated_at', 'changed_at'])
    .select([
      sql<Date>`csat_surveys.closed_at`.as('closed_at'),
      'credited_staff_id as staff_id',
      sql<string | null>`nullif(concat_ws(' ', staff.first_name, staff.last_name), '')`.as('staff_name'),
      sql<string>`concat_ws(' ', clients.first_name, clients.last_name)`.as('client_name')
    ])
    .orderBy('csat_surveys.id', 'desc')
    .limit(p.limit)
)
