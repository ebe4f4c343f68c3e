import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { exportAudit } from './endpoints/admin-audit-export.ts'
import { listAudit } from './endpoints/admin-audit-list.ts'
import { verifyAuditLog } from './endpoints/admin-audit-verify.ts'

export const auditEndpoints: readonly AnyEndpoint[] = [listAudit, verifyAuditLog, exportAudit]
