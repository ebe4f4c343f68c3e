import { Type } from 'typebox'
import { Flag, Id, Nullable } from '../../../kit/schemas.ts'
import { endpoint } from '../../endpoint.ts'
import { AlreadyVerifying, AuditTooLong, verifyOnRequest } from '../verify-on-request.ts'

/**
 * Verifies like `deskline audit verify` that no row of the audit log was altered, removed or cut off: all rows up to `sealed_up_to` are intact,
 * and `broken_id` is the first one that is not. Responds with 429 and `Retry-After` while another verification runs, and with 503 if the log is
 * too long for a request.
 */
export const verifyAuditLog = endpoint({
  path: '/api/admin/audit/verify',
  summary: 'Verify the integrity of the audit log',
  access: 'admin',
  onlyReads: true,
  data: Type.Object({
    is_whole: Flag(),
    sealed_up_to: Nullable(Id(4711)),
    broken_id: Nullable(Id(4712))
  }),
  errors: [AlreadyVerifying, AuditTooLong],
  async handle({ services, disconnected }) {
    const data = await verifyOnRequest(services, disconnected())
    return { message: data.is_whole ? 'The audit log is whole' : 'The audit log is broken', data }
  }
})
