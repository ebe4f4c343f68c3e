import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { paged, pagedFields, pageFields } from '../../kit/paged.ts'
import { pageOf } from '../../lib/page.ts'
import { OwnResult, ownResultViews, Query } from '../schemas.ts'
import { searchOwnTickets } from '../search.ts'

const limits = { fallback: 20, max: 100 }

/**
 * A client searches their own tickets and the messages of these; of each kind the newest hundred that fit are ranked and counted. A word of
 * three letters or more finds what begins so too ("print fir": printer fire), after what has the words themselves; "quoted words" are exact.
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
