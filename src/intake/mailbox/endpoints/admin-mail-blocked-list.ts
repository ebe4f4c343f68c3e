import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { Text } from '../../../kit/schemas.ts'
import { pageOf } from '../../../lib/page.ts'
import { blockedSenders } from '../blocked-senders.ts'
import { BlockedSenderView, blockedSenderView } from '../held-mail-schemas.ts'

const limits = { fallback: 50, max: 100 }

/** Lists the addresses and domains whose e-mails are dropped, newest first. */
export const listBlockedSenders = endpoint({
  path: '/api/admin/mail/blocked/list',
  aliases: ['/api/admin/mail/blocked'],
  summary: 'List the blocked senders',
  access: { anyOf: ['tickets.view_all'] },
  onlyReads: true,
  body: Type.Object({
    search: Type.Optional(Text(255, 'example.com')),
    ...pageFields(limits)
  }),
  data: Type.Object({
    ...pagedFields,
    senders: Type.Array(BlockedSenderView)
  }),
  errors: [Forbidden],
  async handle({ body: { search, ...asked }, actor, services }) {
    const page = pageOf(asked, limits)
    const { blocked, total } = await blockedSenders(services.db, actor, search, page)
    return {
      message: 'Blocked senders',
      data: { ...paged(blocked, total, page), senders: blocked.map(blockedSenderView) }
    }
  }
})
