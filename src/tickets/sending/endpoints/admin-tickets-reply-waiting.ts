import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { WaitingReplyView } from '../../drafts/schemas.ts'
import { ownWaitingReplies } from '../../drafts/waiting-replies.ts'

/** The caller's own replies that wait to be sent, and those that were stopped and not taken back yet, in all tickets. */
export const listWaitingReplies = endpoint({
  path: '/api/admin/tickets/reply/waiting',
  summary: 'List your replies that have not gone',
  access: { anyOf: ['tickets.reply'] },
  onlyReads: true,
  body: Type.Object({}),
  data: Type.Object({ replies: Type.Array(WaitingReplyView) }),
  errors: [],
  async handle({ actor, services }) {
    const replies = await ownWaitingReplies(services.db, { staff: actor.id, ticket: null })
    return { message: 'Replies retrieved', data: { replies } }
  }
})
