import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { Text } from '../../../kit/schemas.ts'
import { pageOf } from '../../../lib/page.ts'
import { CountedTagView, countedTagView, tagsByName } from '../tags.ts'

const limits = { fallback: 100, max: 1000 }

/** Lists the tags by name; `search` matches a part of it. */
export const listTags = endpoint({
  path: '/api/admin/tags/list',
  aliases: ['/api/admin/tags'],
  summary: 'List the tags with their ticket counts',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  onlyReads: true,
  body: Type.Object({
    search: Type.Optional(Text(255, 'urg')),
    ...pageFields(limits)
  }),
  data: Type.Object({
    ...pagedFields,
    tags: Type.Array(CountedTagView)
  }),
  async handle({ body, actor, services }) {
    const page = pageOf(body, limits)
    const { tags, total } = await tagsByName(services.db, actor, body.search, page)
    return {
      message: 'Tags',
      data: { ...paged(tags, total, page), tags: tags.map(countedTagView) }
    }
  }
})
