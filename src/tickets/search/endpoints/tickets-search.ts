import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { pageOf } from '../../../lib/page.ts'
import { OwnResult, ownResultViews, Query } from '../schemas.ts'
import { searchOwnTickets } from '../search.ts'

const limits = { fallback: 20, max: 100 }

/**
 * Searches the client's own tickets and their messages. Of each kind the newest hundred matches are ranked and counted. A word of three or more
 * letters is also a prefix ("print fir" finds printer fire), but whole words rank higher; "quoted words" are exact, a minus excludes.
 */
export const searchTickets = endpoint({
  path: '/api/tickets/search',
  summary: "Search the caller's tickets",
  access: 'client',
  onlyReads: true,
  body: Type.Object({
    query: Query,
    ...pageFields(limits)
  }),
  data: Type.Object({
    ...pagedFields,
    results: Type.Array(OwnResult)
  }),
  async handle({ body, actor, services }) {
    const page = pageOf(body, limits)
    const found = await searchOwnTickets(services.db, actor, body.query, page)
    const results = ownResultViews(found.results)
    return {
      message: 'Search results retrieved',
      data: { ...paged(results, found.total, page), results }
    }
  }
})
