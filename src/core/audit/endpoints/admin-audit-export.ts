import { Type } from 'typebox'
import { OutputText } from '../../../kit/schemas.ts'
import { endpoint } from '../../endpoint.ts'
import { downloadLinkSeconds } from '../../limits.ts'
import { auditExportLink } from '../audit-export.ts'
import { filterFields } from '../audit-filter.ts'

/** Creates a link to the matching rows as a CSV file, newest first. The file is generated while it is downloaded (beyond the contract). */
export const exportAudit = endpoint({
  path: '/api/admin/audit/export',
  summary: 'Export the audit log as CSV: create a signed download link',
  access: 'admin',
  answersSecrets: true,
  body: Type.Object(filterFields),
  data: Type.Object({
    url: OutputText('https://desk.example.com/exports/audit?expires=1795163611&signature=…'),
    expires_in: Type.Integer({ examples: [downloadLinkSeconds] })
  }),
  async handle({ body, session, caller, services }) {
    return { message: 'Link signed', data: await auditExportLink(services, session, caller, body) }
  }
})
