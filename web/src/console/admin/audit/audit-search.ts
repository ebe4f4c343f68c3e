import type { BodyOf } from '@deskline/client'

/** As it stands in the address. `row`: up to this row, which is open. */
export interface AuditFilter {
  action?: string
  by?: string
  target?: string
  targetId?: number
  days?: number
  row?: number
}

/** What the address says, as the service is asked. Whole days, so that the question stays the same while one looks. */
export function bodyOf({ action, by, target, targetId, days, row }: AuditFilter): BodyOf<'/api/admin/audit/list'> {
  const [kind, id] = by?.split('-') ?? []
  return {
    ...(action && { action }),
    ...(kind && { actor_type: kind as 'staff' }),
    ...(id && { actor_id: Number(id) }),
    ...(target && { target_type: target }),
    ...(targetId && { target_id: targetId }),
    ...(days && { from: new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10) }),
    ...(row && { cursor: row + 1 })
  }
}

/** What the address may say, from whatever stands in it. */
export function auditFilterOf(search: Record<string, unknown>): AuditFilter {
  const { action, by, target, targetId, days, row } = search
  const isId = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0
  return {
    ...(typeof action === 'string' && { action }),
    ...(typeof by === 'string' && /^(client|staff|system)(-\d+)?$/.test(by) && { by }),
    ...(typeof target === 'string' && { target }),
    ...(isId(targetId) && { targetId }),
    ...(isId(days) && { days }),
    ...(isId(row) && { row })
  }
}
