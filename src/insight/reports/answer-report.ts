import type { Session, StaffActor } from '../../core/actor.ts'
import type { Services } from '../../core/services.ts'
import { questionOf, type ReportName } from './question.ts'
import { reportExportLink } from './report-export.ts'
import type { ReportBody } from './report-schemas.ts'
import { reportFor } from './reports.ts'

/** The answer of a report's endpoint: its figures, or a link to them as a file. */
export async function answerReport(
  services: Services,
  session: Session,
  actor: StaffActor,
  name: ReportName,
  body: ReportBody
): Promise<{
  message: string
  // biome-ignore lint/suspicious/noExplicitAny: each report has values of its own; the endpoint's schema says which.
  data: any
}> {
  const question = await questionOf(services.db, actor, name, body)
  if (body.format !== 'csv') return { message: 'Report', data: await reportFor(services, name, question) }
  return { message: 'Link signed', data: reportExportLink(services, session, { report: name, body }) }
}
