import { type Static, Type } from 'typebox'
import { DateOrTime, Id, OneOf, Text } from '../../kit/schemas.ts'
import { parseDateOrTime } from '../../lib/time.ts'
import type { AuditFilter } from './audit-list.ts'

export const actorTypes = ['client', 'staff', 'system'] as const

/** The filters of the audit log; all that are given apply. */
export const filterFields = {
  action: Type.Optional(Text(60, 'ticket.')),
  actor_type: Type.Optional(OneOf(actorTypes, 'staff')),
  actor_id: Type.Optional(Id()),
  target_type: Type.Optional(Text(30, 'ticket')),
  target_id: Type.Optional(Id()),
  from: Type.Optional(DateOrTime('2026-11-01')),
  to: Type.Optional(DateOrTime('2026-12-01'))
}

const SentFilter = Type.Object(filterFields)

/** The filters as they were sent, with times as text. */
export type SentFilter = Static<typeof SentFilter>

export function filterOf({ from, to, ...others }: SentFilter): AuditFilter {
  return { ...others, ...(from ? { from: parseDateOrTime(from) } : {}), ...(to ? { to: parseDateOrTime(to) } : {}) }
}
