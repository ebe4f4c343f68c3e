import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { Text } from '../../../kit/schemas.ts'
import { pageOf } from '../../../lib/page.ts'
import { CannedReplyView, cannedReplyView } from '../canned-replies.ts'
import { macrosOf } from '../macros.ts'

const limits = { fallback: 100, max: 1000 }

/** Lists the caller's own and the shared canned replies by title; `search` matches a part of title or text. */
export const listCannedReplies = endpoint({
  path: '/api/admin/canned-replies/list',
  aliases: ['/api/admin/canned-replies'],
  summary: 'List and search personal and shared canned replies',
  access: { anyOf: ['tickets.reply', 'tickets.edit_status'] },
  onlyReads: true,
  body: Type.Object({
    search: Type.Optional(Text(255, 'turn it off')),
    ...pageFields(limits)
  }),
  data: Type.Object({
    ...pagedFields,
    canned_replies: Type.Array(CannedReplyView)
  }),
  async handle({ body, actor, services }) {
    const page = pageOf(body, limits)
    const { macros: replies, total } = await macrosOf(services.db, actor, 'canned_reply', body, page)
    return {
      message: 'Canned replies',
      data: { ...paged(replies, total, page), canned_replies: replies.map(cannedReplyView) }
    }
  }
})
