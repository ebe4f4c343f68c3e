import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { pageFields } from '../../../kit/paged.ts'
import { Id, OneOf, PageNumber } from '../../../kit/schemas.ts'
import { pageOf } from '../../../lib/page.ts'
import { OrganisationNotFound, OrganisationView, organisationOf, organisationView } from '../organisations.ts'
import { OrganisationPerson, OrganisationTicket, peopleOf, ticketCountIn, ticketsIn } from '../people.ts'

const limits = { fallback: 20, max: 100 }
const { limit } = pageFields(limits)
const Total = Type.Integer({ minimum: 0, examples: [12] })

/** An organisation with a page of its people and one of its tickets, last activity first. */
export const showOrganisation = endpoint({
  path: '/api/admin/organisations/detail',
  aliases: ['/api/admin/organisations/:id', '/api/admin/organisations/:id/detail'],
  summary: 'Show an organisation with its people and tickets',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({
    id: Id(),
    people_page: Type.Optional(PageNumber(1)),
    tickets_page: Type.Optional(PageNumber(1)),
    // open, the default: those that are not closed.
    tickets: Type.Optional(OneOf(['open', 'all'] as const)),
    limit
  }),
  data: Type.Object({
    organisation: OrganisationView,
    people_total: Total,
    people: Type.Array(OrganisationPerson),
    tickets_total: Total,
    tickets: Type.Array(OrganisationTicket)
  }),
  errors: [OrganisationNotFound],
  async handle({ body, services: { db } }) {
    const { id, limit, people_page, tickets_page } = body
    const organisation = await organisationOf(db, id)
    const closed = body.tickets === 'all'
    const people = await peopleOf(db, id, pageOf({ page: people_page, limit }, limits))
    const tickets = await ticketsIn(db, id, { ...pageOf({ page: tickets_page, limit }, limits), closed })
    const tickets_total = closed ? await ticketCountIn(db, id) : organisation.open_ticket_count
    const data = { people_total: organisation.people_count, people, tickets_total, tickets }
    return { message: 'Organisation', data: { organisation: organisationView(organisation), ...data } }
  }
})
