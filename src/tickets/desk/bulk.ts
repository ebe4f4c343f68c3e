import { hasPermission, type StaffActor } from '../../core/actor.ts'
import type { ActServices } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { failureOf } from '../../core/failures.ts'
import type { Services } from '../../core/services.ts'
import type { TicketPriority, TicketStatus } from '../../core/tables/tickets.ts'
import { Forbidden, InvalidFields, MissingFields } from '../../kit/errors.ts'
import type { Change } from '../ticket/change-ticket.ts'
import type { TagRef } from '../ticket/desk-schemas.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { assignTicket } from './assign-ticket.ts'
import { setQueueStatus } from './set-status.ts'
import { tagTicket } from './tag-ticket.ts'
import { trashTicket } from './trash.ts'
import { updateTicket } from './update-ticket.ts'

export const bulkActions = ['status', 'assign', 'priority', 'department', 'tag', 'delete'] as const

export interface Bulk {
  action: (typeof bulkActions)[number]
  status?: TicketStatus
  assigned_staff_id?: number | null
  force?: 0 | 1
  priority?: TicketPriority
  department_id?: number
  /** Added to the tags that a ticket has. */
  tags?: TagRef[]
  /** The version of each ticket, in the order of the refs. */
  expected_versions?: number[]
}

export interface BulkOutcome {
  done: number[]
  /** Refused, or failed with an internal error; with the reason. */
  failed: { id: TicketRef; message: string }[]
  /** The tickets after an internal error. */
  notTried: TicketRef[]
}

/**
 * Applies one action to many tickets, each by the verb for a single one and in its own transaction: a refusal by one does not stop the
 * others. An internal error stops the rest: its ticket has failed, those after it are not tried; if nothing was done before, it is thrown.
 * Deleting needs `tickets.delete`, all else `tickets.edit_status` (`Forbidden`). Throws `MissingFields` if the action lacks its value,
 * `InvalidFields` if a ticket lacks its version.
 */
export async function changeMany(
  services: ActServices & Pick<Services, 'log'>,
  actor: StaffActor,
  caller: Origin,
  refs: readonly TicketRef[],
  bulk: Bulk
): Promise<BulkOutcome> {
  if (!hasPermission(actor, bulk.action === 'delete' ? 'tickets.delete' : 'tickets.edit_status')) throw Forbidden()
  const verb = verbFor(services, bulk)
  const versions = bulk.expected_versions
  if (versions && versions.length !== refs.length) {
    throw InvalidFields({ message: 'expected_versions must be as many as ids', errors: ['expected_versions'] })
  }

  const outcome: BulkOutcome = { done: [], failed: [], notTried: [] }
  for (const [at, ref] of refs.entries()) {
    if (refs.indexOf(ref) < at) continue
    try {
      const { id } = await verb({ actor, caller, ref, expectedVersion: versions?.[at] })
      outcome.done.push(id)
    } catch (error) {
      const refusal = failureOf(error)
      outcome.failed.push({ id: ref, message: refusal.message })
      if (refusal.status < 500) continue
      if (outcome.done.length === 0) throw error
      services.log.error(
        { err: error, requestId: caller.requestId, ticket: ref },
        'A bulk change of tickets failed midway'
      )
      outcome.notTried = [...new Set(refs.slice(at + 1))].filter(other => !refs.slice(0, at + 1).includes(other))
      break
    }
  }
  return outcome
}

function verbFor(services: ActServices, bulk: Bulk): (change: Change) => Promise<{ id: number }> {
  switch (bulk.action) {
    case 'status': {
      const status = given(bulk, 'status')
      return change => setQueueStatus(services, change, status)
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
    case 'delete':
      return change => trashTicket(services, change)
  }
}

function given<Name extends keyof Bulk>(bulk: Bulk, name: Name): Exclude<Bulk[Name], undefined> {
  const value = bulk[name]
  if (value !== undefined) return value as Exclude<Bulk[Name], undefined>
  throw MissingFields({ message: `Missing required fields: ${name}`, errors: [name] })
}
