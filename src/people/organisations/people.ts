import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { ClientActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { OrganisationRole } from '../../core/tables/clients.ts'
import { Flag, Id, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'
import type { Page } from '../../lib/page.ts'
import { timestamp } from '../../lib/time.ts'

export const Role = OneOf(['member', 'manager'] as const, 'member')

/** Somebody of an organisation, for admins. */
export const OrganisationPerson = Type.Object({
  id: Id(),
  first_name: OutputText('Ada'),
  last_name: OutputText('Lovelace'),
  email: OutputText('ada@brueckner.example'),
  is_active: Flag(),
  // A manager without a proven address sees the own tickets only.
  is_email_verified: Flag(),
  organisation_role: Role,
  // domain: the membership ends with the address; staff: it stays.
  joined_by: OneOf(['staff', 'domain'] as const)
})

/** A ticket of an organisation, for admins. */
export const OrganisationTicket = Type.Object({
  id: Id(),
  ticket_number: OutputText('TIC-000001'),
  subject: OutputText('The printer is on fire'),
  status: OutputText('Open'),
  priority: OutputText('Medium'),
  client: Type.Object({ id: Id(), first_name: OutputText('Ada'), last_name: OutputText('Lovelace') }),
  created_at: Timestamp(),
  updated_at: Timestamp()
})

/** A page of its people, managers first. */
export async function peopleOf(
  db: Db,
  id: number,
  { limit, offset }: Page
): Promise<Static<typeof OrganisationPerson>[]> {
  const people = await peopleOn(db, { id, limit, offset })
  return people.map(({ organisation_role, organisation_joined_by, ...person }) => ({
    ...person,
    is_active: bit(person.is_active),
    is_email_verified: bit(person.is_email_verified),
    organisation_role: organisation_role!,
    joined_by: organisation_joined_by!
  }))
}

/** A page of its tickets that are neither merged nor in the trash, last activity first: the open ones, or all. */
export async function ticketsIn(
  db: Db,
  id: number,
  { closed, ...page }: Page & { closed: boolean }
): Promise<Static<typeof OrganisationTicket>[]> {
  const rows = await (closed ? allTickets : openTickets)(db, { id, limit: page.limit, offset: page.offset })
  return rows.map(({ client_id, first_name, last_name, created_at, updated_at, ...ticket }) => ({
    ...ticket,
    client: { id: client_id, first_name, last_name },
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at)
  }))
}

/** How many of its tickets `ticketsIn` lists in all if it lists closed ones too. */
export async function ticketCountIn(db: Db, id: number): Promise<number> {
  const [counted] = await countTickets(db, { id })
  return counted!.total
}

/** A client's own organisation; for a manager who sees its tickets, with a page of its people. */
export const OwnOrganisation = Type.Object({
  organisation: Nullable(Type.Object({ id: Id(3), name: OutputText('Weingut Brückner') })),
  role: Nullable(Role),
  // Whether they see the tickets of all: managers do, once they have proven their e-mail address.
  sees_all: Flag(),
  people_total: Type.Integer({ minimum: 0, examples: [12] }),
  people: Type.Array(
    Type.Object({ id: Id(), first_name: OutputText('Ada'), last_name: OutputText('Lovelace'), role: Role })
  )
})

export async function ownOrganisation(
  db: Db,
  { id, managedOrganisation }: ClientActor,
  { limit, offset }: Page
): Promise<Static<typeof OwnOrganisation>> {
  const [own] = await organisationOfClient(db, { id })
  if (!own) return { organisation: null, role: null, sees_all: 0, people_total: 0, people: [] }
  const organisation = { id: own.id, name: own.name }
  const role = own.organisation_role!
  if (managedOrganisation !== own.id) return { organisation, role, sees_all: 0, people_total: 0, people: [] }
  const people = await peopleOn(db, { id: own.id, limit, offset })
  return {
    organisation,
    role,
    sees_all: 1,
    people_total: own.people,
    people: people.map(({ id, first_name, last_name, organisation_role }) => ({
      ...{ id, first_name, last_name },
      role: organisation_role as OrganisationRole
    }))
  }
}

interface OnPage extends Pick<Page, 'limit' | 'offset'> {
  id: number
}

const peopleOn = prepared((db, p: OnPage) =>
  db
    .selectFrom('clients')
    .where('organisation_id', '=', p.id)
    .select(['id', 'first_name', 'last_name', 'email', 'is_active', 'is_email_verified'])
    .select(['organisation_role', 'organisation_joined_by'])
    .orderBy(sql`organisation_role = 'manager'`, 'desc')
    .orderBy(sql`lower(last_name)`)
    .orderBy(sql`lower(first_name)`)
    .orderBy('id')
    .limit(p.limit)
    .offset(p.offset)
)

const openTickets = prepared((db, p: OnPage) => ticketRows(db, p).where('tickets.status', '<>', sql.lit('Closed')))
const allTickets = prepared((db, p: OnPage) => ticketRows(db, p))

function ticketRows(db: Db, p: OnPage) {
  return db
    .selectFrom('tickets')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .where('tickets.organisation_id', '=', p.id)
    .where('tickets.trashed_at', 'is', null)
    .where('tickets.merged_into_id', 'is', null)
    .select(['tickets.id', 'tickets.ticket_number', 'tickets.subject', 'tickets.status', 'tickets.priority'])
    .select([
      'tickets.created_at',
      'tickets.updated_at',
      'tickets.client_id',
      'clients.first_name',
      'clients.last_name'
    ])
    .orderBy('tickets.updated_at', 'desc')
    .orderBy('tickets.id', 'desc')
    .limit(p.limit)
    .offset(p.offset)
}

const countTickets = prepared((db, p: { id: number }) =>
  db
    .selectFrom('tickets')
    .where('organisation_id', '=', p.id)
    .where('trashed_at', 'is', null)
    .where('merged_into_id', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('total'))
)

const organisationOfClient = prepared((db, p: { id: number }) =>
  db
    .selectFrom('clients')
    .innerJoin('organisations', 'organisations.id', 'clients.organisation_id')
    .where('clients.id', '=', p.id)
    .select(['organisations.id', 'organisations.name', 'clients.organisation_role'])
    .select(
      sql<number>`(select count(*) from clients as person where person.organisation_id = organisations.id)`.as('people')
    )
)
