import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { type Figure, figures, slaFigures } from '../../core/tables/reports.ts'
import { slaMetrics } from '../../core/tables/sla-policies.ts'
import { type TicketStatus, ticketPriorities } from '../../core/tables/tickets.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { maxId, Nullable, OneOf, PageLimit, Text } from '../../kit/schemas.ts'
import { channels } from '../../tickets/conditions/channel.ts'
import { deskVisibility } from '../../tickets/ticket/visibility.ts'
import { catchUpReports } from '../facts/report-work.ts'
import { bucketsOf } from './buckets.ts'
import { type Question, questionBy, type ReportName } from './question.ts'
import { csvFields, filterFields, type Group, groups } from './report-schemas.ts'
import { ofOneMoment, limits as reportLimits, reports } from './reports.ts'
import { isChosen, isUntil, isWithin, secondsOf } from './sums.ts'

/** What each number of a report counts, as one asks for the tickets behind it. */
const named = [
  ...(['opened', 'closed', 'reopened', 'open', 'first_response', 'resolution'] as const),
  ...slaFigures,
  ...(['sent', 'good', 'bad', 'rated', 'replies'] as const)
] as const

const limits = { fallback: 50, max: 200 }
const idsOfFile = 5_000

export const TicketsBody = Type.Object({
  report: Type.Optional(OneOf(Object.keys(reports) as ReportName[])),
  figure: Type.Unsafe<(typeof named)[number]>({ ...OneOf(named), description: '`rated`: `good` and `bad` together.' }),
  metric: Type.Optional(
    Type.Unsafe<(typeof slaMetrics)[number]>({
      ...OneOf(slaMetrics),
      description: 'For `met`, `breached`, `dropped` and `lifted`; without it all of them.'
    })
  ),
  ...filterFields,
  group: Type.Optional(Nullable(OneOf(groups))),
  key: Type.Optional(
    Type.Unsafe<string | number | null>({
      type: ['string', 'integer', 'null'],
      maxLength: 100,
      examples: [4],
      description: 'The `key` of a group of the report; it needs `group`.'
    })
  ),
  hours: Type.Optional(OneOf(['clock', 'open'] as const)),
  cursor: Type.Optional(Text(50, 'Mjk')),
  limit: Type.Optional(PageLimit(limits)),
  ...csvFields
})
export type TicketsBody = Static<typeof TicketsBody>

/** A ticket behind a figure. What was counted of a client who was erased has no words any more. */
export interface TicketBehind {
  id: number
  ticket_number: string | null
  subject: string | null
  status: TicketStatus | null
  count: number
  at: Date
  seconds: number | null
}

export interface BehindQuestion {
  question: Question
  figures: Figure[]
}

/** The question of what is behind a figure. Throws what `questionOf` does. */
export async function behindQuestion(db: Db, actor: StaffActor, body: TicketsBody): Promise<BehindQuestion> {
  const { figure, metric, key, group } = body
  if (key !== undefined && !group) {
    throw InvalidFields({ message: 'key needs the group of which it is one', errors: ['group'] })
  }
  const report = reportOf(figure, body.report)
  const ofNone = group === 'department' && key === null
  const keyed = key === undefined || !group || ofNone ? {} : filterOfKey(group, key)
  const question = await questionBy(db, actor, { report, group: null }, { ...body, ...keyed })
  // Whoever is limited to departments sees none of those that are deleted.
  if (ofNone) question.filter.department = actor.departments ? [] : [0]
  return { question, figures: figuresOf(figure, metric) }
}

/** The report that tells a figure: it decides what one may see of it. What people do is never told as what departments get. */
function reportOf(figure: (typeof named)[number], given: ReportName = 'volume'): ReportName {
  const isOfDepartments = figure === 'opened' || figure === 'closed' || figure === 'reopened' || figure === 'open'
  return isOfDepartments || (given !== 'volume' && given !== 'backlog') ? given : 'agents'
}

function figuresOf(figure: (typeof named)[number], metric: (typeof slaMetrics)[number] | undefined): Figure[] {
  if (figure === 'rated') return ['good', 'bad']
  const wanted = figures.filter(each => each === figure || each.endsWith(`.${figure}`))
  const ofMetric = wanted.filter(each => each.startsWith(`${metric}.`))
  return ofMetric.length > 0 ? ofMetric : wanted
}

function filterOfKey(group: Group, key: string | number | null): Partial<TicketsBody> {
  const refused = () => InvalidFields({ message: `key: there is no ${group} like that`, errors: ['key'] })
  const number = typeof key === 'string' && /^[1-9]\d{0,15}$/.test(key) ? Number(key) : key
  switch (group) {
    case 'department':
      if (typeof number !== 'number') throw refused()
      return { department_id: number }
    case 'staff':
      if (typeof number === 'string') throw refused()
      return { staff_id: number }
    case 'organisation':
      if (typeof number === 'string') throw refused()
      return { organisation_id: number }
    case 'tag':
      if (key === null) throw refused()
      return { tag: String(key) }
    case 'priority':
    case 'channel': {
      const values: readonly unknown[] = group === 'priority' ? ticketPriorities : channels
      if (!values.includes(key)) throw refused()
      return { [group]: key }
    }
  }
}

/** A page of the tickets behind a figure that the actor sees, the newest first, and the cursor of the next. */
export async function ticketsBehind(services: Services, actor: StaffActor, body: TicketsBody) {
  const asked = await behindQuestion(services.db, actor, body)
  const before = body.cursor === undefined ? maxId : placeOf(body.cursor)
  await catchUpReports(services)
  const limit = Math.min(body.limit ?? limits.fallback, limits.max)
  const rows = await pageOf(services, actor, asked, { before, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const next_cursor = rows.length > limit ? Buffer.from(String(shown.at(-1)!.id)).toString('base64url') : null
  return { tickets: shown.map(row => ({ ...row, at: row.at.toISOString() })), next_cursor }
}

/** All of them, in pages, each in a statement of its own over some ids: a file of a million rows needs the memory of one page. */
export async function* pagesBehind(services: Services, actor: StaffActor, asked: BehindQuestion) {
  await catchUpReports(services)
  const { first, last } = await idsBehind(services.db, asked)
  if (first === null) return
  for (let before = last + 1; before > first; before -= idsOfFile) {
    const rows = await pageOf(services, actor, asked, { before, from: before - idsOfFile, limit: null })
    yield rows.map(row => ({ ...row, at: row.at.toISOString() }))
  }
}

async function idsBehind(db: Db, asked: BehindQuestion) {
  return await ofOneMoment(db, reportLimits, async db => {
    const { rows } = await sql<{ first: number | null; last: number }>`
      select min(ticket_id) as first, max(ticket_id) as last from ticket_facts where ${await isBehind(db, asked)}`.execute(
      db
    )
    return rows[0]!
  })
}

/** Whether a fact is one of those that a figure counts. */
async function isBehind(db: Db, { question, figures }: BehindQuestion) {
  const buckets = await bucketsOf(db, { ...question, by: 'month' })
  const within = figures.includes('open') ? isUntil(buckets) : isWithin(buckets)
  return sql<boolean>`figure = any(${figures}::text[]) and ${isChosen(question)} and ${within}`
}

async function pageOf(
  { db }: Pick<Services, 'db'>,
  actor: StaffActor,
  asked: BehindQuestion,
  { before, from = 0, limit }: { before: number; from?: number; limit: number | null }
): Promise<TicketBehind[]> {
  const { column, departments } = deskVisibility(actor)
  // What one may not see does not exist; what is gone has no words.
  const seen = [
    ...(column
      ? [sql`exists (select from tickets where tickets.id = ticket_id and tickets.assigned_staff_id = ${actor.id})`]
      : []),
    ...(departments ? [sql`department_id = any(${departments}::bigint[])`] : [])
  ]
  return await ofOneMoment(db, reportLimits, async db => {
    const isOfFigure = await isBehind(db, asked)
    // The facts are chosen on their own (offset 0): walking all of them in the order of tickets would take long where few are chosen.
    const { rows } = await sql<TicketBehind>`
      select behind.id, ticket_number, subject, status, count, behind.at, seconds
      from (
        select ticket_id as id, sum(value) as count, max(at) as at, max(seconds) as seconds
        from (
          select ticket_id, value, at, ${secondsOf(asked.question)} as seconds from ticket_facts
          where ${isOfFigure} and ticket_id >= ${from} and ticket_id < ${before} and ${sql.join([sql`true`, ...seen], sql` and `)} offset 0
        ) as fact
        group by ticket_id having sum(value) > 0 order by ticket_id desc limit ${limit}::bigint
      ) as behind left join tickets on tickets.id = behind.id
      order by behind.id desc`.execute(db)
    return rows
  })
}

function placeOf(cursor: string): number {
  const place = Number(Buffer.from(cursor, 'base64url').toString())
  if (Number.isSafeInteger(place) && place > 0) return place
  throw InvalidFields({ message: 'cursor is not one of this list: take it from the page before', errors: ['cursor'] })
}
