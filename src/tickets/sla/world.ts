import { countingCalendars } from '../../core/calendars/calendars.ts'
import type { OpenTime } from '../../core/calendars/open-time.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Facts } from '../conditions/judge-in-memory.ts'
import { ticketFacts } from '../conditions/ticket-facts.ts'
import { fieldsNamed, policyFor } from './choose-policy.ts'
import type { SlaFacts, SlaWorld } from './clock-types.ts'
import { slaPolicies } from './policies.ts'
import type { SlaPolicy } from './policy-types.ts'

/** The policies and calendars of a desk, by which its clocks are counted. */
export interface DeskPolicies {
  policies: readonly SlaPolicy[]
  /** Those that take tickets, in the order in which they are tried. */
  active: readonly SlaPolicy[]
  namedFields: ReadonlySet<string>
  calendars: ReadonlyMap<number, { id: number; name: string; time_zone: string; open: OpenTime }>
  /** Those who are not deleted, if some policy asks who has a ticket. */
  staff: ReadonlySet<number> | undefined
}

/** The policies and calendars as they are now; undefined for a desk that has never had a policy, and so no clocks. */
export async function deskPolicies(db: Db): Promise<DeskPolicies | undefined> {
  const policies = await slaPolicies(db)
  if (policies.length === 0) return undefined
  return await withCalendars(db, policies)
}

/** The same with policies of which some may not be saved. */
export async function withCalendars(db: Db, policies: readonly SlaPolicy[]): Promise<DeskPolicies> {
  const active = policies.filter(({ is_active, is_archived }) => is_active && !is_archived)
  const ids = (await allCalendars(db, {})).map(({ id }) => id)
  const namedFields = fieldsNamed(active)
  const staff = namedFields.has('assigned_staff_id') ? new Set((await allStaff(db, {})).map(({ id }) => id)) : undefined
  return { policies, active, namedFields, calendars: await countingCalendars(db, ids), staff }
}

/**
 * By what the clocks of a ticket are counted. `row`: the ticket as it is now, for what its timeline does not tell; see `rowsToChoose`.
 */
export function worldOf(desk: DeskPolicies, row: Facts | undefined): SlaWorld {
  const kept = new Map(desk.policies.filter(({ is_archived }) => !is_archived).map(policy => [policy.id, policy]))
  return {
    choose: ({ facts, at }) => policyFor(factsAt(desk, row, facts, at), desk.active, new Date(at)).policy,
    namedFields: desk.namedFields,
    policy: id => kept.get(id),
    openTime: id => desk.calendars.get(id)?.open
  }
}

/** The same before there were policies: what the timeline of a ticket says without any clock. */
export function worldWithoutPolicies(world: SlaWorld): SlaWorld {
  return { ...world, choose: () => undefined, namedFields: new Set(), policy: () => undefined }
}

/** What conditions may ask of a ticket: as it is now, but with what its timeline had said by then. Nobody has what a deleted colleague had. */
export function factsAt({ staff }: DeskPolicies, row: Facts | undefined, facts: SlaFacts, at: number): Facts {
  const { assigned_staff_id: assignee } = facts
  const isGone = assignee !== null && staff !== undefined && !staff.has(assignee)
  return { ...row, ...facts, ...(isGone && { assigned_staff_id: null }), updated_at: new Date(at) }
}

/** The tickets as they are now, as far as policies ask for what their timelines do not tell. */
export async function rowsToChoose(db: Db, desk: DeskPolicies, ids: readonly number[]): Promise<Map<number, Facts>> {
  const told = ['status', 'priority', 'department_id', 'assigned_staff_id', 'updated_at']
  const isAsked = [...desk.namedFields].some(field => !told.includes(field))
  return isAsked ? await ticketFacts(db, ids) : new Map()
}

const allCalendars = prepared(db => db.selectFrom('calendars').select('id'))
const allStaff = prepared(db => db.selectFrom('staff').select('id'))
