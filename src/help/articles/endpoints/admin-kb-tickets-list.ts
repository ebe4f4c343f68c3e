import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { permissionSlugs } from '../../../core/permissions.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { pageOf } from '../../../lib/page.ts'
import { WantingTicketView, wantingTicketView } from '../ticket-article-schemas.ts'
import { wantingTickets } from '../ticket-articles.ts'

const limits = { fallback: 50, max: 200 }

/** The tickets that need an article, as far as the caller sees them, the first named first. */
export const listTicketsThatNeedArticles = endpoint({
  path: '/api/admin/kb/tickets/list',
  summary: 'List the tickets that need an article',
  access: { anyOf: permissionSlugs },
  onlyReads: true,
  body: Type.Object(pageFields(limits)),
  data: Type.Object({ ...pagedFields, tickets: Type.Array(WantingTicketView) }),
  async handle({ body, actor, services }) {
    const page = pageOf(body, limits)
    const { tickets, total } = await wantingTickets(services.db, actor, page)
    return {
      message: 'Tickets that need an article',
      data: { ...paged(tickets, total, page), tickets: tickets.map(wantingTicketView) }
    }
  }
})
