import type { BodyOf } from '@deskline/client'

/** The filter as it is in the address. `row`: the rows up to this one, which is expanded. */
export interface AuditFilter {
  action?: string
  by?: string
  target?: string
  targetId?: number
  days?: number
  row?: number
}

/** The request for a filter. It uses whole days, so that it stays the same while the page is open. */
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

/** Validates the search parameters. */
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
