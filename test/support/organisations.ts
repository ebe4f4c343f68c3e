import type { OrganisationRole } from '../../src/core/tables/clients.ts'
import type { Desk } from './desk.ts'
import { aClient, type Person } from './people.ts'
import { listen } from './streams.ts'
import { aFile, aTicket } from './tickets.ts'

let serial = 0

/** An organisation as its row; `domains` are as they are stored. */
export async function anOrganisation(
  desk: Desk,
  {
    domains = [],
    ...given
  }: { name?: string; domains?: string[]; is_archived?: boolean; managers_follow?: boolean } = {}
): Promise<{ id: number; name: string }> {
  const row = await desk.db
    .insertInto('organisations')
    .values({ name: `Organisation ${++serial}`, ...given })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow()
  for (const domain of domains) {
    await desk.db.insertInto('organisation_domains').values({ domain, organisation_id: row.id }).execute()
  }
  return row
}

/** A client of this organisation with a proven address, logged in. */
export async function aPersonOf(
  desk: Desk,
  organisation: { id: number } | undefined,
  role: OrganisationRole = 'member',
  given: Parameters<typeof aClient>[1] = {}
): Promise<Person> {
  return await aClient(desk, { is_email_verified: true, ...membershipOf(organisation, role), ...given })
}

/** Makes a client join, leave or change the role, as staff do. */
export async function belong(
  desk: Desk,
  { id }: { id: number },
  organisation: { id: number } | undefined,
  role: OrganisationRole = 'member'
): Promise<void> {
  await desk.db.updateTable('clients').set(membershipOf(organisation, role)).where('id', '=', id).execute()
}

function membershipOf(organisation: { id: number } | undefined, role: OrganisationRole) {
  if (!organisation) return { organisation_id: null, organisation_role: null, organisation_joined_by: null }
  return { organisation_id: organisation.id, organisation_role: role, organisation_joined_by: 'staff' as const }
}

/** An organisation with a manager, a member and a ticket of the member. */
export async function aCompany(desk: Desk, { managers_follow = false } = {}) {
  const organisation = await anOrganisation(desk, { managers_follow })
  const manager = await aPersonOf(desk, organisation, 'manager', { first_name: 'Mara' })
  const member = await aPersonOf(desk, organisation)
  const ticket = await aTicket(desk, member, { subject: 'A zebra crossing' }, [aFile('zebra.txt', 'stripes')])
  return { organisation, manager, member, id: ticket.ticket_id as number, ticket }
}

export type Company = Awaited<ReturnType<typeof aCompany>>

/** Where somebody meets this ticket. */
export async function meets(
  desk: Desk,
  person: Person,
  { id, ticket }: Pick<Company, 'id' | 'ticket'>
): Promise<string[]> {
  const asked: Record<string, Promise<boolean>> = {
    detail: answers('/api/tickets/detail', { id }),
    number: answers('/api/tickets/detail', { id: ticket.ticket_number }),
    search: finds('zebra'),
    exact: finds(ticket.ticket_number),
    list: answers('/api/tickets/list', { scope: 'organisation' }, data =>
      data.tickets.some((each: { id: number }) => each.id === id)
    ),
    link: answers('/api/tickets/attachment-link', { id: ticket.attachments[0].id }),
    file: fetch(desk.url + ticket.attachments[0].file_path, {
      headers: { authorization: `Bearer ${person.token}` }
    }).then(async file => (await file.text()) === 'stripes'),
    followers: answers('/api/tickets/followers/list', { id }),
    follow: answers('/api/tickets/follow', { id }),
    reply: answers('/api/tickets/reply', { id, message: 'And?' }),
    status: answers('/api/tickets/status', { id, status: 'Closed' }),
    event: fed()
  }
  const met = []
  for (const [place, is] of Object.entries(asked)) if (await is) met.push(place)
  return met

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  async function answers(path: string, body: object, fits: (data: any) => boolean = () => true): Promise<boolean> {
    const reply = await desk.post(path, person, body)
    return reply.status < 300 && fits(reply.data)
  }

  function finds(query: string) {
    return answers('/api/tickets/search', { query }, data =>
      data.results.some((result: { ticket: { id: number } }) => result.ticket.id === id)
    )
  }

  async function fed(): Promise<boolean> {
    const own = await aTicket(desk, person)
    const stream = await listen(desk.url, { token: person.token, path: '/api/events/stream', body: { after: '0' } })
    await stream.first(({ data }) => data.ticket_id === own.ticket_id)
    stream.close()
    return stream.told.some(({ data }) => data.ticket_id === id)
  }
}

/** All places. */
export const everywhere = [
  ...['detail', 'number', 'search', 'exact', 'list', 'link', 'file', 'followers', 'follow', 'reply', 'status', 'event']
]
