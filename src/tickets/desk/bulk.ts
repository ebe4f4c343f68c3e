import { sql } from 'kysely'
import { hasPermission, type StaffActor } from '../../core/actor.ts'
import type { ActServices } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { failureOf } from '../../core/failures.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Services } from '../../core/services.ts'
import type { TicketPriority, TicketStatus } from '../../core/tables/tickets.ts'
import { Forbidden, InvalidFields, MissingFields } from '../../kit/errors.ts'
import { allFields } from '../fields/fields.ts'
import { type GivenValues, refuseUnfit } from '../fields/judge-values.ts'
import { type LinkKind, linkTickets } from '../links/link-tickets.ts'
import { type Snoozing, snoozeTicket, unsnoozeTicket } from '../snooze/snooze-ticket.ts'
import { wakeTime } from '../snooze/wake-time.ts'
import type { Change } from '../ticket/change-ticket.ts'
import type { TagRef } from '../ticket/desk-schemas.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { assignTicket } from './assign-ticket.ts'
import { setQueueStatus } from './set-status.ts'
import { tagTicket } from './tag-ticket.ts'
import { trashTicket } from './trash.ts'
import { updateTicket } from './update-ticket.ts'

/** What is done to many tickets, and which permissions each needs: any of them. */
const needs = {
  status: ['tickets.edit_status'],
  assign: ['tickets.edit_status'],
  priority: ['tickets.edit_status'],
  department: ['tickets.edit_status'],
  tag: ['tickets.edit_status'],
  set_fields: ['tickets.edit_status'],
  link: ['tickets.edit_status'],
  snooze: ['tickets.reply', 'tickets.edit_status'],
  unsnooze: ['tickets.reply', 'tickets.edit_status'],
  // And what its actions take.
  macro: ['tickets.reply', 'tickets.edit_status'],
  delete: ['tickets.delete']
} as const satisfies Record<string, readonly Permission[]>

type BulkAction = keyof typeof needs
export const bulkActions = Object.keys(needs) as BulkAction[]

export interface Bulk extends Snoozing {
  action: BulkAction
  status?: TicketStatus
  assigned_staff_id?: number | null
  /** Assigns what somebody else has; closes what is blocked. */
  force?: 0 | 1
  priority?: TicketPriority
  department_id?: number
  /** The ticket to which each is linked, and how. */
  other_id?: TicketRef
  link?: LinkKind
  /** Values of custom fields by key. */
  fields?: GivenValues
  /** Added to the tags that a ticket has. */
  tags?: TagRef[]
  macro_id?: number
  /** The version of each ticket, in the order of the refs. */
  expected_versions?: number[]
}

export interface BulkOutcome {
  done: number[]
  /** Refused, or failed with an internal error; `reason`, `message` and `errors` are those of the call for a single ticket. */
  failed: { id: TicketRef; reason: string; message: string; errors?: string[] }[]
  /** The tickets after an internal error. */
  notTried: TicketRef[]
}

/**
 * Applies one action to many tickets, each by the verb for a single one and in its own transaction: a refusal by one does not stop the
 * others. An internal error stops the rest: its ticket has failed, those after it are not tried; if nothing was done before, it is thrown.
 * `verbOfMacro` applies a macro, which knows more than the desk does. Throws `Forbidden` without what the action `needs`, `MissingFields` if it lacks its value, `InvalidFields` if a ticket lacks its version,
 * the time of a snooze is none or no ticket can have the values of fields.
 */
export async function changeMany(
  services: ActServices & Pick<Services, 'log'>,
  actor: StaffActor,
  caller: Origin,
  refs: readonly TicketRef[],
  bulk: Bulk,
  verbOfMacro: (id: number) => Promise<Verb>
): Promise<BulkOutcome> {
  if (!hasPermission(actor, ...needs[bulk.action])) throw Forbidden({ lacks: needs[bulk.action] })
  if (bulk.action === 'snooze') await wakeTime(services.db, bulk, services.clock.now())
  if (bulk.action === 'set_fields') refuseUnfit(await allFields(services.db), given(bulk, 'fields'))
  const verb =
    bulk.action === 'macro' ? await verbOfMacro(given(bulk, 'macro_id')) : verbFor(services, bulk.action, bulk)
  const versions = bulk.expected_versions
  if (versions && versions.length !== refs.length) {
    throw InvalidFields({ message: 'expected_versions must be as many as ids', errors: ['expected_versions'] })
  }

  const outcome: BulkOutcome = { done: [], failed: [], notTried: [] }
  const named = await idsOf(services.db, refs)
  for (const [at, ref] of refs.entries()) {
    if (named.indexOf(named[at]!) < at) continue
    try {
      const { id } = await verb({ actor, caller, ref, expectedVersion: versions?.[at] })
      outcome.done.push(id)
    } catch (error) {
      const refusal = failureOf(error)
      const { kind, message, errors } = refusal
      outcome.failed.push({ id: ref, reason: kind.reason, message, ...(errors && { errors: [...errors] }) })
      if (refusal.status < 500) continue
      if (outcome.done.length === 0) throw error
      services.log.error(
        { err: error, requestId: caller.requestId, ticket: ref },
        'A bulk change of tickets failed midway'
      )
      outcome.notTried = refs.filter((_, other) => other > at && named.indexOf(named[other]!) === other)
      break
    }
  }
  return outcome
}

/** Of each the id, where it is a number that a ticket has: whoever names a ticket in both ways means one change. */
async function idsOf(db: Db, refs: readonly TicketRef[]): Promise<TicketRef[]> {
  const numbers = refs.flatMap(ref => (typeof ref === 'string' ? ref.toUpperCase() : []))
  const ids = new Map((numbers.length > 0 ? await withNumbers(db, { numbers }) : []).map(row => [row.number, row.id]))
  return refs.map(ref => (typeof ref === 'string' ? (ids.get(ref.toUpperCase()) ?? ref.toUpperCase()) : ref))
}

const withNumbers = prepared((db, p: { numbers: readonly string[] }) =>
  db
    .selectFrom('tickets')
    .where('ticket_number', '=', sql<string>`any(${p.numbers}::text[])`)
    .select(['id', 'ticket_number as number'])
)

/** What changes one ticket. */
type Verb = (change: Change<StaffActor>) => Promise<{ id: number }>

function verbFor(services: ActServices, action: Exclude<BulkAction, 'macro'>, bulk: Bulk): Verb {
  switch (action) {
    case 'status': {
      const status = given(bulk, 'status')
      return change => setQueueStatus(services, change, status, { force: bulk.force === 1 })
    }
    case 'assign': {
      const staffId = given(bulk, 'assigned_staff_id')
      return change => assignTicket(services, change, { staffId, force: bulk.force === 1 })
    }
    case 'priority': {
      const priority = given(bulk, 'priority')
      return change => updateTicket(services, change, { priority })
    }
    case 'department': {
      const department_id = given(bulk, 'department_id')
      return change => updateTicket(services, change, { department_id })
    }
    case 'tag': {
      const add = given(bulk, 'tags')
      return change => tagTicket(services, change, { add })
    }
    case 'set_fields': {
      const fields = given(bulk, 'fields')
      return change => updateTicket(services, change, { fields })
    }
    case 'link': {
      const [other, kind] = [given(bulk, 'other_id'), given(bulk, 'link')]
      return async ({ actor, caller, ref }) => {
        const { ticket_id: id } = await linkTickets(services, { actor, caller, ref, other }, kind)
        return { id }
      }
    }
    case 'snooze': {
      const { until, until_next_open, until_reply, kind, reason } = bulk
      return change => snoozeTicket(services, change, { until, until_next_open, until_reply, kind, reason })
    }
    case 'unsnooze':
      return change => unsnoozeTicket(services, change)
    case 'delete':
      return change => trashTicket(services, change)
  }
}

function given<Name extends keyof Bulk>(bulk: Bulk, name: Name): Exclude<Bulk[Name], undefined> {
  const value = bulk[name]
  if (value !== undefined) return value as Exclude<Bulk[Name], undefined>
  throw MissingFields({ message: `Missing required fields: ${name}`, errors: [name] })
}
