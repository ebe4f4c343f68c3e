import { sql } from 'kysely'
import { hasPermission, type StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Dimension } from '../../core/tables/reports.ts'
import { Forbidden, InvalidFields } from '../../kit/errors.ts'
import { keyOfChannel, keyOfPriority } from '../facts/add-up-days.ts'
import { requireDays } from './days.ts'
import type { Group, ReportBody } from './report-schemas.ts'

export type ReportName = 'volume' | 'first-response' | 'resolution' | 'backlog' | 'sla' | 'csat' | 'agents'

/** What a report is asked, with the keys by which facts and days know departments, staff and so on. */
export interface Question {
  /** Days of the desk's zone, both inclusive. */
  from: string
  to: string
  by: 'day' | 'week' | 'month'
  group: Group | null
  /** Only what has one of these keys. */
  filter: Partial<Record<Exclude<Dimension, 'desk'>, readonly number[]>>
  hours: 'clock' | 'open'
}

const mostYears = 5
/** With two filters, or a filter and another group: each fact is looked at. */
const mostDaysOfFacts = 366
const dayMilliseconds = 86_400_000

type Asked = Omit<ReportBody, 'format' | 'bom'>

/**
 * The question of this member of staff. Without `tickets.view_all` it is about the own departments (what came and is open) or oneself (N6). Throws
 * `InvalidFields` for days and filters that make no sense, `Forbidden` for what others do.
 */
export async function questionOf(db: Db, actor: StaffActor, report: ReportName, body: Asked): Promise<Question> {
  const group = report === 'agents' ? 'staff' : (body.group ?? null)
  return await questionBy(db, actor, { report, group }, body)
}

/** The same, by this group. */
export async function questionBy(
  db: Db,
  actor: StaffActor,
  { report, group }: { report: ReportName; group: Group | null },
  body: Asked
): Promise<Question> {
  const { from, to, by = 'day', hours = 'clock' } = body
  requireSpan(from, to)
  const filter = { ...(await namedFilter(db, body)), ...own(actor, report, group, body) }
  if (filter.department) await requireOwnDepartments(actor, filter.department)
  if (actor.departments && !filter.department) filter.department = actor.departments
  const question = { from, to, by, group, filter, hours }
  if (isOfFacts(question) && daysBetween(from, to) > mostDaysOfFacts) {
    throw InvalidFields({
      message: `With several filters a report covers ${mostDaysOfFacts} days at the most: ask for a shorter time`,
      errors: ['from', 'to']
    })
  }
  return question
}

/** Whether it takes the facts to answer it: the sums of days are divided by one thing at a time. */
export function isOfFacts({ filter, group }: Pick<Question, 'filter' | 'group'>): boolean {
  return new Set([...Object.keys(filter), ...(group ? [group] : [])]).size > 1
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / dayMilliseconds + 1
}

function requireSpan(from: string, to: string): void {
  requireDays({ from, to })
  const latest = `${Number(from.slice(0, 4)) + mostYears}${from.slice(4)}`
  if (to <= latest) return
  throw InvalidFields({ message: `A report covers ${mostYears} years at the most`, errors: ['from', 'to'] })
}

type Filter = Question['filter']

async function namedFilter(db: Db, body: ReportBody): Promise<Filter> {
  const { department_id: deptid, staff_id, tag, priority, organisation_id, channel } = body
  const filter: Filter = {}
  if (deptid != null) filter.department = [await idOf(departmentOf(db, { deptid }), 'department_id')]
  if (tag != null) filter.tag = [await idOf(tagNamed(db, { tag }), 'tag')]
  if (staff_id !== undefined) filter.staff = [staff_id ?? 0]
  if (priority != null) filter.priority = [keyOfPriority(priority)]
  if (organisation_id !== undefined) {
    const id = organisation_id
    filter.organisation = [id === null ? 0 : await idOf(organisationOf(db, { id }), 'organisation_id')]
  }
  if (channel != null) filter.channel = [keyOfChannel(channel)]
  return filter
}

async function idOf(found: Promise<{ id: number }[]>, field: string): Promise<number> {
  const [row] = await found
  if (!row) throw InvalidFields({ message: `${field}: there is none like that`, errors: [field] })
  return row.id
}

/** N6: what one sees without `tickets.view_all`. */
function own(actor: StaffActor, report: ReportName, group: Group | null, { staff_id }: ReportBody): Filter {
  if (hasPermission(actor, 'tickets.view_all')) return {}
  const isOfDepartments = report === 'volume' || report === 'backlog'
  const asksForOthers = staff_id !== undefined && staff_id !== actor.id
  if (asksForOthers || (isOfDepartments && group === 'staff')) throw Forbidden()
  return isOfDepartments ? {} : { staff: [actor.id] }
}

async function requireOwnDepartments({ departments }: StaffActor, asked: readonly number[]): Promise<void> {
  if (departments && !asked.every(id => departments.includes(id))) throw Forbidden()
}

const departmentOf = prepared((db, p: { deptid: number }) =>
  db.selectFrom('departments').where('deptid', '=', p.deptid).select('id')
)

const tagNamed = prepared((db, p: { tag: string }) =>
  db.selectFrom('tags').where(sql`lower(name)`, '=', sql`lower(${p.tag})`).select('id')
)

const organisationOf = prepared((db, p: { id: number }) =>
  db.selectFrom('organisations').where('id', '=', p.id).select('id')
)
