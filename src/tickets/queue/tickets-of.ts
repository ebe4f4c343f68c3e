import { sql } from 'kysely'
import type { Actor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { TicketStatus } from '../../core/tables/tickets.ts'
import { Forbidden } from '../../kit/errors.ts'
import { maxId } from '../../kit/schemas.ts'
import type { Page } from '../../lib/page.ts'
import { ticketCountOfOrganisation } from '../../people/organisations/ticket-counts.ts'
import { ticketCountOf } from '../ticket/client-ticket-counts.ts'
import { visibleParts } from '../ticket/merged-parts.ts'
import {
  type BoundVisibility,
  isForClient,
  isOfProvenAddress,
  isPartSeen,
  ownTickets,
  preparedForVisible,
  type TicketVisibility,
  ticketsOfOrganisation,
  type VisibleTickets
} from '../ticket/visibility.ts'

interface Filters {
  status?: TicketStatus
  /** The public deptid (decision 11). An unknown one matches nothing. */
  deptid?: number
}

/** One page of a client's own tickets, or of those assigned to a staff member, last activity first, and the total. */
export async function ticketsOf(db: Db, actor: Actor, filters: Filters, page: Page) {
  return await pageOfTickets(db, ownTickets(actor), filters, page)
}

/** The same of the organisation that this client manages, with whoever opened them. Throws `Forbidden` for everybody else. */
export async function ticketsOfManager(db: Db, actor: Actor, filters: Filters, page: Page) {
  const managed = actor.population === 'client' ? actor.managedOrganisation : undefined
  if (managed === undefined) throw Forbidden({ message: onlyManagers })
  const { total, tickets } = await pageOfTickets(db, ticketsOfOrganisation(managed), filters, page)
  const openers = await clientsOf(db, { tickets: tickets.map(({ id }) => id) })
  const clients = new Map(openers.map(({ ticket_id, ...client }) => [ticket_id, client]))
  return { total, tickets: tickets.map(ticket => ({ ...ticket, client: clients.get(ticket.id)! })) }
}

const onlyManagers = 'Only managers of an organisation see its tickets, once they have proven their e-mail address'

async function pageOfTickets(db: Db, visibility: TicketVisibility, filters: Filters, { page, limit, ...at }: Page) {
  const query = queryFor(visibility, filters)
  const offset = Math.min(at.offset, maxId)
  const parameters = { ...filters, actor: visibility.owner, limit, offset } as Parameters

  const rows = await query.page(db, visibility, parameters)
  const [counted] = rows.length > 0 || page === 1 ? rows : await query.total(db, visibility, parameters)
  const ids = rows.filter(({ may_hide }) => may_hide).map(({ id }) => id)
  const seen = ids.length === 0 ? [] : await countsSeen(db, visibility, { ids })
  const counts = new Map(seen.map(({ id, ...counts }) => [id, counts]))
  const tickets = rows.map(({ may_hide, ...ticket }) => ({ ...ticket, ...counts.get(ticket.id) }))
  return { total: counted?.total ?? 0, tickets }
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
function queryFor({ column }: TicketVisibility, { status, deptid }: Filters) {
  if (status !== undefined) return deptid === undefined ? withStatus : withStatusInDepartment
  if (deptid !== undefined) return inDepartment
  if (column === 'organisation_id') return allOfOrganisation
  return column === 'client_id' ? allOfClient : allAssigned
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

const allOfOrganisation = listing(
  tickets => tickets,
  ({ actor }, db) => visibleCountOfOrganisation(db, actor)
)

/** The number of a client's tickets without those that came by e-mail or by the form at an address that the client has not proven. */
function visibleCountOf(db: Db, client: number) {
  return withoutWithheld(db, ticketCountOf(db, client), 'client_id', client)
}

/** The same of an organisation. */
function visibleCountOfOrganisation(db: Db, organisation: number) {
  return withoutWithheld(db, ticketCountOfOrganisation(db, organisation), 'organisation_id', organisation)
}

function withoutWithheld(
  db: Db,
  count: ReturnType<typeof ticketCountOf> | ReturnType<typeof ticketCountOfOrganisation>,
  of: 'client_id' | 'organisation_id',
  id: number
) {
  const withheld = sql<number>`(select count(*) from tickets as withheld
    where ${sql.ref(`withheld.${of}`)} = ${id} and withheld.client_email is not null and withheld.trashed_at is null
      and not ${isOfProvenAddress('withheld')})`
  return db.selectFrom(count.as('all_tickets')).select(sql<number>`all_tickets.total - ${withheld}`.as('total'))
}

const clientsOf = prepared((db, p: { tickets: readonly number[] }) =>
  db
    .selectFrom('tickets')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .where('tickets.id', '=', sql<number>`any(${p.tickets}::bigint[])`)
    .select(['tickets.id as ticket_id', 'clients.id', 'clients.first_name', 'clients.last_name'])
)

/**
 * Within a query on `tickets`: whether the thread may have messages that its client does not see; few have. Where it said `exists`, the planner would
 * read all tickets for it.
 */
const mayHide = sql<boolean>`coalesce(
  (select true from ticket_messages as message where message.ticket_id = tickets.id and message.client_email is not null limit 1),
  (select true from tickets as part where part.merged_into_id = tickets.id limit 1), false)`

/** The numbers of messages and files in the threads of these tickets, without those that the client does not see. */
const countsSeen = preparedForVisible((tickets, p: { ids: readonly number[] }, _db, boundVisibility) =>
  tickets
    .where('tickets.id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .innerJoinLateral(hiddenFrom(boundVisibility).as('hidden'), join => join.onTrue())
    .select(['tickets.id', sql<number>`tickets.message_count - hidden.messages`.as('message_count')])
    .select(sql<number>`tickets.attachment_count - hidden.files`.as('attachment_count'))
)

function hiddenFrom(boundVisibility: BoundVisibility) {
  return sql<Record<'messages' | 'files', number>>`(
    select coalesce(sum(messages), 0)::bigint as messages, coalesce(sum(files), 0)::bigint as files
    from (
      select part.message_count as messages, part.attachment_count as files
        from tickets as part where part.merged_into_id = tickets.id and ${isPartSeen(boundVisibility, 'part')} is not true
      union all
      select 1, (select count(*) from ticket_attachments as file where file.message_id = message.id)
        from ticket_messages as message
        where message.client_email is not null and message.ticket_id = ${visibleParts(boundVisibility)}
          and not ${isOfProvenAddress('message', 'tickets')}) as hidden)`
}

function counted(tickets: VisibleTickets) {
  return tickets.select(db => db.fn.countAll<number>().as('total'))
}

function listing(filter: Filter, total?: (p: Parameters, db: Db) => ReturnType<typeof visibleCountOf>) {
  const totalOf = (tickets: VisibleTickets, p: Parameters, db: Db) => total?.(p, db) ?? counted(filter(tickets, p))
  return {
    total: preparedForVisible(totalOf),
    page: preparedForVisible((tickets, p: Parameters, db, { visibility }) =>
      filter(tickets, p)
        .innerJoin('departments', 'departments.id', 'tickets.department_id')
        .select([
          'tickets.id',
          'tickets.ticket_number',
          'departments.name as department_name',
          'departments.deptid as department_deptid',
          'tickets.subject',
          'tickets.priority',
          'tickets.status',
          'tickets.message_count',
          'tickets.attachment_count',
          'tickets.created_at',
          'tickets.updated_at'
        ])
        .select([
          totalOf(tickets, p, db).as('total'),
          (isForClient(visibility) ? mayHide : sql.lit(false)).as('may_hide')
        ])
        .orderBy('tickets.updated_at', 'desc')
        .orderBy('tickets.id', 'desc')
        .limit(p.limit)
        .offset(p.offset)
    )
  }
}
