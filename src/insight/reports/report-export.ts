import { Readable } from 'node:stream'
import type { Session, StaffActor } from '../../core/actor.ts'
import { downloadLinkSeconds } from '../../core/limits.ts'
import type { Services } from '../../core/services.ts'
import { failure } from '../../kit/errors.ts'
import { signedQuery, verifySignedQuery } from '../../platform/secrets/signed-links.ts'
import { csvHeading, csvRow, flat } from './csv.ts'
import { questionOf, type ReportName } from './question.ts'
import type { ReportBody } from './report-schemas.ts'
import { reportFor, reports } from './reports.ts'
import { behindQuestion, pagesBehind, type TicketsBody } from './tickets-behind.ts'

/** There is no such file, or no permission for it: the response is the same. */
export const ReportExportNotFound = failure(404, 'export_not_found', 'There is no such file')

/** The file of a link: a report, or the tickets behind one of its figures. */
type Exported = { report: ReportName; body: ReportBody } | { report: 'tickets'; body: TicketsBody }

interface ReportExport {
  exported: Exported
  staff: number
  session: number
}

const purpose = 'report export'

/** A link to a report as CSV, valid for some minutes while its maker may see it. */
export function reportExportLink(
  services: Pick<Services, 'keys' | 'realClock' | 'config'>,
  { id: session, actor }: Session,
  exported: Exported
): { url: string; expires_in: number } {
  const facts = { report: JSON.stringify(exported), staff: String(actor.id), session: String(session) }
  const query = signedQuery(services, { purpose, facts, seconds: downloadLinkSeconds })
  return { url: `${services.config.BASE_URL}/exports/reports?${query}`, expires_in: downloadLinkSeconds }
}

/** What a link is for; undefined if we did not sign it, or it has expired. */
export function reportExportAt(
  world: Pick<Services, 'keys' | 'realClock'>,
  query: Readonly<Record<string, unknown>>
): ReportExport | undefined {
  const facts = verifySignedQuery(world, { purpose, names: ['report', 'staff', 'session'] }, query)
  return facts && { exported: JSON.parse(facts.report), staff: Number(facts.staff), session: Number(facts.session) }
}

/** The CSV, as this member of staff may see it now. Its columns are the keys of the JSON. */
export async function reportCsv(services: Services, actor: StaffActor, exported: Exported): Promise<Readable> {
  const withBom = exported.body.bom === 1
  if (exported.report === 'tickets') return await ticketsCsv(services, actor, exported.body, withBom)
  const { report, body } = exported
  const question = await questionOf(services.db, actor, report, body)
  const { series, groups } = await reportFor(services, report, question)
  // What each did, unless it is asked by time (`group: null`).
  const isByGroup = question.group !== null && !(report === 'agents' && body.group === null)
  const columns = Object.keys(flat(isByGroup ? { key: 0, label: '', ...emptyValues(report) } : series[0]!))
  const rows = (isByGroup ? groups : series).map(row => flat(row))
  return Readable.from([csvHeading(columns, withBom), ...rows.map(row => csvRow(columns, row))])
}

function emptyValues(report: ReportName): object {
  const values = reports[report].values(new Map(), { median: null, p90: null, isAbout: false })
  return report === 'agents' ? { staff: { id: null, first_name: null, last_name: null }, ...values } : values
}

async function ticketsCsv(services: Services, actor: StaffActor, body: TicketsBody, withBom: boolean) {
  const question = await behindQuestion(services.db, actor, body)
  const columns = ['id', 'ticket_number', 'subject', 'status', 'count', 'at', 'seconds'] as const
  async function* lines() {
    yield csvHeading(columns, withBom)
    for await (const rows of pagesBehind(services, actor, question))
      yield rows.map(row => csvRow(columns, { ...row })).join('')
  }
  // At most one page is read ahead.
  return Readable.from(lines(), { highWaterMark: 1 })
}
