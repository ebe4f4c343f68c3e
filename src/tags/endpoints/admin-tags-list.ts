import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { PageLimit, PageNumber, Text } from '../../kit/schemas.ts'
import { pageOf } from '../../lib/page.ts'
import { CountedTagView, countedTagView, tagsByName } from '../tags.ts'

const limits = { fallback: 100, max: 1000 }

/** The tags by name; a search finds them by a part of it. */
export const listTags = endpoint({
  path: '/api/admin/tags/list',
  aliases: ['/api/admin/tags'],
  summary: 'List the tags with the number of tickets that bear them',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  onlyReads: true,
  body: Type.Object({
    search: Type.Optional(Text(255, 'urg')),
    page: Type.Optional(PageNumber(1)),
    limit: Type.Optional(PageLimit(limits))
  }),
  data: Type.Object({
    count: Type.Integer(),
    total: Type.Integer(),
    page: Type.Integer(),
    limit: Type.Integer(),
    tags: Type.Array(CountedTagView)
  }),
  async handle({ body, services }) {
    const page = pageOf(body, limits)
    const { tags, total } = await tagsByName(services.db, body.search, page)
    return {
      message: 'Tags',
      data: { count: tags.length, total, page: page.page, limit: page.limit, tags: tags.map(countedTagView) }
    }
  }
})
