import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { pageOf } from '../../../lib/page.ts'
import { DeskResult, deskResultView, Query } from '../schemas.ts'
import { searchDesk } from '../search.ts'

const limits = { fallback: 20, max: 100 }

/**
 * Searches everything that the caller sees. Of each kind the newest hundred matches are ranked and counted. A word of three or more letters is
 * also a prefix ("print fir" finds printer fire), but whole words rank higher; "quoted words" are exact, a minus excludes.
 */
export const searchDeskFor = endpoint({
  path: '/api/admin/search',
  summary: 'Search tickets, messages, notes and clients',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  onlyReads: true,
  body: Type.Object({
    query: Query,
    ...pageFields(limits)
  }),
  data: Type.Object({
    ...pagedFields,
    results: Type.Array(DeskResult)
  }),
  async handle({ body, actor, services }) {
    const page = pageOf(body, limits)
    const found = await searchDesk(services.db, actor, body.query, page)
    const results = found.results.map(deskResultView)
    return {
      message: 'Search results retrieved',
      data: { ...paged(results, found.total, page), results }
    }
  }
})
