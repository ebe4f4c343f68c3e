import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { hasPermission, type StaffActor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import { failure } from '../../kit/errors.ts'
import { Id, OutputText } from '../../kit/schemas.ts'
import { type TicketVisibility, ticketsWith, visibleTickets } from '../../tickets/ticket/visibility.ts'

export const HiddenTickets = Type.Object({
  tickets: Type.Integer({ examples: [3] }),
  departments: Type.Array(
    Type.Object({ deptid: Id(), name: OutputText('Billing Department'), tickets: Type.Integer({ examples: [2] }) })
  ),
  other_departments: Type.Integer({ examples: [1] })
})

export const TicketsHidden = failure(
  403,
  'tickets_out_of_sight',
  'This client has tickets that you cannot see',
  Type.Object({ unseen: HiddenTickets })
)

/**
 * Throws `TicketsHidden` if a client has tickets that the actor does not see, in the trash or merged too: exporting or erasing a client
 * reaches all of them. The error says how many, and in which departments as far as the actor knows these.
 */
export async function requireAllVisible(db: Db, actor: StaffActor, client: number): Promise<void> {
  const unseen = await hiddenTickets(db, actor, client)
  if (unseen.tickets === 0) return
  const named = unseen.departments.map(({ name, tickets }) => `${tickets} in ${name}`)
  if (unseen.other_departments > 0) named.push(`${unseen.other_departments} in departments that are not yours`)
  const message = `This client has tickets that you cannot see: ${named.join(', ')}. Ask an admin, or somebody who sees them all`
  throw TicketsHidden({ message, data: { unseen } })
}

/** How many tickets of a client the actor does not see; `other_departments`: those in departments that the actor does not know. */
export async function hiddenTickets(db: Db, actor: StaffActor, client: number): Promise<Static<typeof HiddenTickets>> {
  const visibility = fullVisibility(actor)
  const scope = { owner: visibility.owner, departments: visibility.departments ?? [] }
  const rows = await db
    .selectFrom('tickets as theirs')
    .innerJoin('departments', 'departments.id', 'theirs.department_id')
    .where('theirs.client_id', '=', client)
    .where(({ not, exists }) =>
      not(
        exists(
          visibleTickets(db, visibility, scope).where('tickets.id', '=', sql<number>`theirs.id`).select('tickets.id')
        )
      )
    )
    .groupBy('departments.id')
    .orderBy('departments.deptid')
    .select(['departments.id', 'departments.deptid', 'departments.name', 'departments.is_active'])
    .select(({ fn }) => fn.countAll<number>().as('tickets'))
    .execute()

  const known = rows.filter(department => knows(actor, department))
  const all = sum(rows)
  return {
    tickets: all,
    departments: known.map(({ deptid, name, tickets }) => ({ deptid, name, tickets })),
    other_departments: all - sum(known)
  }
}

/** All tickets that the actor may see in any way; those in the trash with the permission to delete. */
function fullVisibility(actor: StaffActor): TicketVisibility {
  const visibility = ticketsWith(actor, 'tickets.view_all')
  return hasPermission(actor, 'tickets.delete') ? { ...visibility, trash: 'too' } : visibility
}

/** Staff limited to some departments know these; others know the active ones, and with a permission all. */
function knows(actor: StaffActor, { id, is_active }: { id: number; is_active: boolean }): boolean {
  if (actor.departments) return actor.departments.includes(id)
  return is_active || hasPermission(actor, 'departments.view', 'departments.manage')
}

function sum(rows: { tickets: number }[]): number {
  return rows.reduce((total, { tickets }) => total + tickets, 0)
}
