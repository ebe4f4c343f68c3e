import type { Db } from '../../core/db.ts'
import {
  type SlaMetric,
  type SlaPause,
  type SlaReopening,
  slaMetrics,
  slaPauses
} from '../../core/tables/sla-policies.ts'
import { type TicketPriority, ticketPriorities } from '../../core/tables/tickets.ts'
import type { Conditions } from '../conditions/schemas.ts'
import { storedConditions } from '../conditions/stored-conditions.ts'
import type { SlaPolicyDefinition, SlaTarget } from './policy-types.ts'

/** The fields of a policy as they are sent; those left out stay, or get their defaults. */
export interface SlaPolicyFields {
  name?: string
  conditions?: Conditions
  /** Replaced as a whole. */
  targets?: SlaTarget[]
  pause_on?: SlaPause[]
  on_reopen?: SlaReopening
  warn_minutes?: number | null
  is_active?: 0 | 1
}

/** What a new policy says where nothing is sent: it takes every ticket, and promises nothing. */
export const defaultPolicy: SlaPolicyDefinition = {
  name: '',
  conditions: { all: [] },
  targets: [],
  pause_on: ['answered'],
  on_reopen: 'resume',
  warn_minutes: null,
  is_active: true
}

/** What these fields make of a policy, with conditions as they are stored; lists are in a fixed order, so that the same ones are no change. */
export async function definitionWith(
  db: Db,
  former: SlaPolicyDefinition,
  fields: SlaPolicyFields
): Promise<SlaPolicyDefinition> {
  const pauses = fields.pause_on ?? former.pause_on
  return {
    name: fields.name ?? former.name,
    conditions: fields.conditions ? await storedConditions(db, fields.conditions) : former.conditions,
    targets: (fields.targets ?? former.targets).toSorted((one, other) => placeOf(one) - placeOf(other)),
    pause_on: slaPauses.filter(pause => pauses.includes(pause)),
    on_reopen: fields.on_reopen ?? former.on_reopen,
    warn_minutes: fields.warn_minutes === undefined ? former.warn_minutes : fields.warn_minutes,
    is_active: fields.is_active === undefined ? former.is_active : fields.is_active === 1
  }
}

/** By metric, the most urgent priority first. */
function placeOf({ metric, priority }: { metric: SlaMetric; priority: TicketPriority }): number {
  return slaMetrics.indexOf(metric) * ticketPriorities.length - ticketPriorities.indexOf(priority)
}
