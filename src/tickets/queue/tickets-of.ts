import { sql } from 'kysely'
import type { Actor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import type { TicketStatus } from '../../core/tables/tickets.ts'
import { maxId } from '../../kit/schemas.ts'
import type { Page } from '../../lib/page.ts'
import { ticketCountOf } from '../ticket/client-ticket-counts.ts'
import { visibleParts } from '../ticket/merged-parts.ts'
import {
  type BoundVisibility,
  isOfProvenAddress,
  ownTickets,
  preparedForVisible,
  type VisibleTickets
} from '../ticket/visibility.ts'

interface Filters {
  status?: TicketStatus
  /** The public deptid (decision 11). An unknown one matches nothing. */
  deptid?: number
}

/** One page of a client's own tickets, or of those assigned to a staff member, last activity first, and the total. */
export async function ticketsOf(db: Db, actor: Actor, filters: Filters, { page, limit, ...at }: Page) {
  const visibility = ownTickets(actor)
  const query = queryFor(actor, filters)
  const offset = Math.min(at.offset, maxId)
  const parameters = { ...filters, actor: actor.id, limit, offset } as Parameters

  const rows = await query.page(db, visibility, parameters)
  const [counted] = rows.length > 0 || page === 1 ? rows : await query.total(db, visibility, parameters)
  return { total: counted?.total ?? 0, tickets: rows }
}

/** Each query uses the parameters of its filters. */
interface Parameters {
  status: TicketStatus
  deptid: number
  actor: number
  limit: number
  offset: number
}

/** Each combination of filters is a statement of its own: one for all, with null as off, could not use the indexes. */
function queryFor(actor: Actor, { status, deptid }: Filters) {
  if (status !== undefined) return deptid === undefined ? withStatus : withStatusInDepartment
  if (deptid !== undefined) return inDepartment
  return actor.population === 'client' ? allOfClient : allAssigned
}

type Filter = (tickets: VisibleTickets, p: Parameters) => VisibleTickets

const hasStatus: Filter = (tickets, p) => tickets.where('tickets.status', '=', p.status)
const isInDepartment: Filter = (tickets, p) =>
  tickets.where('tickets.department_id', '=', db =>
    db.selectFrom('departments').where('deptid', '=', p.deptid).select('id')
  )

const allAssigned = listing(tickets => tickets)
const withStatus = listing(hasStatus)
const inDepartment = listing(isInDepartment)
const withStatusInDepartment = listing((tickets, p) => isInDepartment(hasStatus(tickets, p), p))
const allOfClient = listing(
  tickets => tickets,
  // The number is kept: counting would cost more than the page itself.
  ({ actor }, db) => visibleCountOf(db, actor)
)

/** The number of a client's tickets without those that came by e-mail or by the form at an address that the client has not proven. */
function visibleCountOf(db: Db, client: number) {
  const withheld = sql<number>`(select count(*) from tickets as withheld
    where withheld.client_id = ${client} and withheld.client_email is not null and withheld.trashed_at is null
      and not ${isOfProvenAddress('withheld')})`
  return db
    .selectFrom(ticketCountOf(db, client).as('all_tickets'))
    .select(sql<number>`all_tickets.total - ${withheld}`.as('total'))
}

type ThreadCounts = Record<'message_count' | 'attachment_count', number>

/** Within a query on `tickets`: the numbers of messages and files in the thread that the actor sees. Few threads have any that a client does not. */
function countsOf({ visibility }: BoundVisibility) {
  if (visibility.column !== 'client_id') {
    return sql<ThreadCounts>`(select tickets.message_count, tickets.attachment_count)`
  }
  const mayHide = sql`(exists (select from ticket_messages as message
      where message.ticket_id = tickets.id and message.client_email is not null)
    or exists (select from tickets as part where part.merged_into_id = tickets.id))`
  return sql<ThreadCounts>`(
    select tickets.message_count, tickets.attachment_count where not ${mayHide}
    union all
    select tickets.message_count - coalesce(sum(hidden.messages), 0)::bigint,
      tickets.attachment_count - coalesce(sum(hidden.files), 0)::bigint
    from (
      select part.message_count as messages, part.attachment_count as files
        from tickets as part where part.merged_into_id = tickets.id and not ${isOfProvenAddress('part')}
      union all
      select 1, (select count(*) from ticket_attachments as file where file.message_id = message.id)
        from ticket_messages as message
        where message.client_email is not null and message.ticket_id = ${visibleParts({ visibility })}
          and not ${isOfProvenAddress('message', 'tickets')}) as hidden
    having ${mayHide})`
}

function counted(tickets: VisibleTickets) {
  return tickets.select(db => db.fn.countAll<number>().as('total'))
}

function listing(filter: Filter, total?: (p: Parameters, db: Db) => ReturnType<typeof visibleCountOf>) {
  const totalOf = (tickets: VisibleTickets, p: Parameters, db: Db) => total?.(p, db) ?? counted(filter(tickets, p))
  return {
    total: preparedForVisible(totalOf),
    page: preparedForVisible((tickets, p: Parameters, db, boundVisibility) =>
      filter(tickets, p)
        .innerJoinLateral(countsOf(boundVisibility).as('counts'), join => join.onTrue())
        .innerJoin('departments', 'departments.id', 'tickets.department_id')
        .select([
          'tickets.id',
          'tickets.ticket_number',
          'departments.name as department_name',
          'departments.deptid as department_deptid',
          'tickets.subject',
          'tickets.priority',
          'tickets.status',
          'counts.message_count',
          'counts.attachment_count',
          'tickets.created_at',
          'tickets.updated_at'
        ])
        .select(totalOf(tickets, p, db).as('total'))
        .orderBy('tickets.updated_at', 'desc')
        .orderBy('tickets.id', 'desc')
        .limit(p.limit)
        .offset(p.offset)
    )
  }
}
