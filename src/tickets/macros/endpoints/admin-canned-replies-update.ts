import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Flag, Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { UnknownPlaceholder } from '../../actions/placeholders.ts'
import { CannedReplyView, cannedReplyFields, cannedReplyView } from '../canned-replies.ts'
import { updateMacro } from '../change-macros.ts'
import { CannedReplyNotFound } from '../macros.ts'

/** Changes the given fields of a canned reply: of the caller's own (`tickets.reply`) or of a shared one (`tickets.edit_status`). */
export const updateCannedReply = endpoint({
  path: '/api/admin/canned-replies/update',
  aliases: ['/api/admin/canned-replies/:id/update'],
  summary: 'Change a canned reply, or share it',
  access: { anyOf: ['tickets.reply', 'tickets.edit_status'] },
  about: 'caller',
  body: Type.Object({
    id: Id(),
    title: Type.Optional(cannedReplyFields.title),
    text: Type.Optional(cannedReplyFields.text),
    is_shared: Type.Optional(Flag(0)),
    expected_version: ExpectedVersion
  }),
  data: Type.Object({ canned_reply: CannedReplyView }),
  errors: [CannedReplyNotFound, Forbidden, UnknownPlaceholder, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const { title: name, text: reply_text, ...rest } = body
    const changes = { ...rest, ...(name !== undefined && { name }), ...(reply_text !== undefined && { reply_text }) }
    const reply = await updateMacro(services, actor, caller, changes, 'canned_reply')
    return { message: 'Canned reply updated', data: { canned_reply: cannedReplyView(reply) } }
  }
})
