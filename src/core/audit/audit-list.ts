import { csvCell } from '../../lib/csv-cell.ts'
import type { Page } from '../../lib/page.ts'
import { timestamp } from '../../lib/time.ts'
import type { Db } from '../db.ts'
import type { AuditRow } from '../tables/audit.ts'
import { tokenOfName } from './audit-actor.ts'

/** The filters of the audit log; all that are given apply. */
export interface AuditFilter {
  action?: string
  actor_type?: AuditRow['actor_type']
  actor_id?: number
  target_type?: string
  target_id?: number
  /** From this time on. */
  from?: Date
  /** Before this time. */
  to?: Date
}

/** The columns that are shown, in the order of a table. */
const shownColumns = [
  'id',
  'created_at',
  'action',
  'actor_type',
  'actor_id',
  'actor_name',
  'target_type',
  'target_id',
  'before',
  'after',
  'ip_address',
  'request_id'
] as const

type ShownRow = Pick<AuditRow, (typeof shownColumns)[number]>

/** Counting stops there, since the log only grows and counting all of it would take longer than any page. */
const maxCounted = 10_000

/** `before`: instead of an offset, the page has rows with lower ids. */
type AuditPage = Pick<Page, 'limit' | 'offset'> & { before?: number | undefined }

/** A page of the audit log, newest first, and the number of matching rows, up to `maxCounted`. `next`: the `before` of the next page, if any. */
export async function auditRows(
  db: Db,
  filter: AuditFilter,
  { limit, offset, before }: AuditPage
): Promise<{ rows: ShownRow[]; total: number; next: number | undefined }> {
  const fitting = fittingRows(db, filter)
  const { total } = await db
    .selectFrom(fitting.select('id').limit(maxCounted).as('fitting'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const found = before === undefined ? fitting.offset(offset) : fitting.where('id', '<', before)
  const rows = await found
    .select(shownColumns)
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  return { rows: shown, total, next: rows.length > limit ? shown.at(-1)!.id : undefined }
}

/** The newest matching rows; with `before` those with lower ids. */
export async function auditRowsBefore(
  db: Db,
  filter: AuditFilter,
  before: number | undefined,
  limit: number
): Promise<ShownRow[]> {
  const fitting = fittingRows(db, filter)
  const older = before === undefined ? fitting : fitting.where('id', '<', before)
  return await older.select(shownColumns).orderBy('id', 'desc').limit(limit).execute()
}

function fittingRows(db: Db, filter: AuditFilter) {
  let fitting = db.selectFrom('audit_log')
  // With a dot at its end it is a prefix, as in `ticket.`.
  if (filter.action?.endsWith('.')) fitting = fitting.where('action', '^@', filter.action)
  else if (filter.action) fitting = fitting.where('action', '=', filter.action)
  if (filter.actor_type) fitting = fitting.where('actor_type', '=', filter.actor_type)
  if (filter.actor_id) fitting = fitting.where('actor_id', '=', filter.actor_id)
  if (filter.target_type) fitting = fitting.where('target_type', '=', filter.target_type)
  if (filter.target_id) fitting = fitting.where('target_id', '=', filter.target_id)
  if (filter.from) fitting = fitting.where('created_at', '>=', filter.from)
  if (filter.to) fitting = fitting.where('created_at', '<', filter.to)
  return fitting
}

export function auditView(row: ShownRow) {
  return { ...row, actor_token: tokenOfName(row.actor_name), created_at: timestamp(row.created_at) }
}

/** The first line of the rows as CSV. */
export const auditCsvHeading = `${shownColumns.join(',')}\r\n`

/** The rows as CSV (RFC 4180), without the heading. Text that a spreadsheet would run as a formula gets a leading apostrophe. */
export function auditCsv(rows: ShownRow[]): string {
  return rows
    .map(auditView)
    .map(row => `${shownColumns.map(column => csvCell(row[column])).join(',')}\r\n`)
    .join('')
}
