import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Flag } from '../../../kit/schemas.ts'
import { UnknownPlaceholder } from '../../actions/placeholders.ts'
import { CannedReplyView, cannedReplyFields, cannedReplyView } from '../canned-replies.ts'
import { createMacro } from '../change-macros.ts'

/** Creates a canned reply: a personal one (`tickets.reply`) or a shared one (`tickets.edit_status`). */
export const createCannedReply = endpoint({
  path: '/api/admin/canned-replies/create',
  summary: 'Create a canned reply, personal or shared',
  access: { anyOf: ['tickets.reply', 'tickets.edit_status'] },
  about: 'caller',
  body: Type.Object({
    title: cannedReplyFields.title,
    text: cannedReplyFields.text,
    is_shared: Type.Optional(Flag(0))
  }),
  status: 201,
  data: Type.Object({ canned_reply: CannedReplyView }),
  errors: [UnknownPlaceholder, Forbidden],
  async handle({ body, actor, caller, services }) {
    const { title: name, text: reply_text, is_shared } = body
    const given = { name, reply_text, actions: [], is_shared }
    const reply = await createMacro(services, actor, caller, given, 'canned_reply')
    return { message: 'Canned reply created', data: { canned_reply: cannedReplyView(reply) } }
  }
})
