import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { showCalendarImpact } from './endpoints/admin-calendars-impact.ts'
import { listSlaClocks } from './endpoints/admin-sla-clocks-list.ts'
import { archiveSlaPolicy } from './endpoints/admin-sla-policies-archive.ts'
import { createSlaPolicy } from './endpoints/admin-sla-policies-create.ts'
import { deleteSlaPolicy } from './endpoints/admin-sla-policies-delete.ts'
import { showSlaPolicy } from './endpoints/admin-sla-policies-detail.ts'
import { showSlaPolicyImpact } from './endpoints/admin-sla-policies-impact.ts'
import { listSlaPolicies } from './endpoints/admin-sla-policies-list.ts'
import { slaRecomputation } from './endpoints/admin-sla-policies-recomputation.ts'
import { reorderSlaPolicies } from './endpoints/admin-sla-policies-reorder.ts'
import { unarchiveSlaPolicy } from './endpoints/admin-sla-policies-unarchive.ts'
import { updateSlaPolicy } from './endpoints/admin-sla-policies-update.ts'
import { explainTicketSla } from './endpoints/admin-tickets-sla.ts'

export const slaEndpoints: readonly AnyEndpoint[] = [
  listSlaPolicies,
  showSlaPolicy,
  createSlaPolicy,
  updateSlaPolicy,
  archiveSlaPolicy,
  unarchiveSlaPolicy,
  deleteSlaPolicy,
  reorderSlaPolicies,
  showSlaPolicyImpact,
  slaRecomputation,
  showCalendarImpact,
  listSlaClocks,
  explainTicketSla
]
