import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Flag, Id, Nullable } from '../../kit/schemas.ts'
import { AlreadyVerifying, AuditTooLong, verifyOnRequest } from '../verify-on-request.ts'

/**
 * Whether no row of the audit log was altered, taken out or cut off, as `deskline audit verify` tells it: all rows up to `sealed_up_to`
 * are as they were written, `broken_id` is the first that is not. While it runs for somebody else it answers 429
 * with `Retry-After`, and 503 when the log is too long for a request.
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
