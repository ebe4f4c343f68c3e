import type { DataOf } from '@deskline/client'

export type AuditEntry = DataOf<'/api/admin/audit/list'>['entries'][number]
