import { Type } from 'typebox'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { Id, Nullable, OneOf, OutputText, Timestamp } from '../../../kit/schemas.ts'
import { pageOf } from '../../../lib/page.ts'
import { endpoint } from '../../endpoint.ts'
import { sequence } from '../../events/read-events.ts'
import { ActorToken } from '../actor-token.ts'
import { actorTypes, filterFields, filterOf } from '../audit-filter.ts'
import { auditCsv, auditCsvHeading, auditRows, auditView } from '../audit-list.ts'
import { targetNames } from '../target-names.ts'

const limits = { fallback: 100, max: 1000 }

const Facts = Nullable(Type.Object({}, { additionalProperties: true, examples: [{ status: 'Closed' }] }))

const AuditEntry = Type.Object({
  id: Id(),
  action: OutputText('ticket.assigned'),
  actor_type: OneOf(actorTypes, 'staff'),
  actor_id: Nullable(Id()),
  actor_name: OutputText('Grace Hopper'),
  actor_token: ActorToken,
  target_type: OutputText('ticket'),
  target_id: Nullable(Id()),
  // What the target is called now; null if it is gone or has no name.
  target_name: Nullable(OutputText('TIC-104233')),
  before: Facts,
  after: Facts,
  ip_address: Nullable(OutputText('192.0.2.7')),
  request_id: Nullable(OutputText('91fb1b69-5017-4162-834c-cbd6baba81c5')),
  created_at: Timestamp()
})

/**
 * Lists the audit log, newest first; `format` csv adds the same page as CSV. `next_cursor`, sent as `cursor`, fetches the next page, equally fast
 * on all pages, while a high `page` is slow. `total` is counted up to 10,000.
 */
export const listAudit = endpoint({
  path: '/api/admin/audit/list',
  aliases: ['/api/admin/audit'],
  summary: 'List and search the audit log',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({
    ...filterFields,
    format: Type.Optional(OneOf(['json', 'csv'] as const)),
    cursor: Type.Optional(Id(4711)),
    ...pageFields(limits)
  }),
  data: Type.Object({
    ...pagedFields,
    total: Type.Integer({ description: 'The number of matches, counted up to 10,000.' }),
    next_cursor: Nullable(Id()),
    entries: Type.Array(AuditEntry),
    csv: Type.Optional(OutputText('id,created_at,action'))
  }),
  async handle({ body, services }) {
    await sequence(services)
    const page = pageOf(body, limits)
    const { rows, total, next } = await auditRows(services.db, filterOf(body), { ...page, before: body.cursor })
    const nameOf = await targetNames(services.db, rows)
    const entries = rows.map(row => ({ ...auditView(row), target_name: nameOf(row) }))
    const data = { ...paged(rows, total, page), next_cursor: next ?? null, entries }
    return {
      message: 'Audit log',
      data: body.format === 'csv' ? { ...data, csv: auditCsvHeading + auditCsv(rows) } : data
    }
  }
})
