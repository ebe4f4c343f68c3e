import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { BooleanInput, OneOf, Text } from '../../../kit/schemas.ts'
import { pageOf } from '../../../lib/page.ts'
import { HeldMailView, heldMailView } from '../held-mail-schemas.ts'
import { heldMails } from '../held-mails.ts'
import { holdReasonNames } from '../hold-reasons.ts'

const limits = { fallback: 50, max: 100 }

/**
 * Lists the e-mails that wait for a decision, newest first, and their number for each reason. Only for staff who see all tickets, since a held
 * e-mail may belong to any department. `search` searches senders, recipients and subjects; `discarded` lists the discarded ones instead.
 */
export const listHeldMails = endpoint({
  path: '/api/admin/mail/held/list',
  aliases: ['/api/admin/mail/held'],
  summary: 'List held e-mails',
  access: { anyOf: ['tickets.view_all'] },
  onlyReads: true,
  body: Type.Object({
    reason: Type.Optional(OneOf(holdReasonNames, 'unknown_sender')),
    search: Type.Optional(Text(255, 'printer')),
    discarded: Type.Optional(BooleanInput(0)),
    ...pageFields(limits)
  }),
  data: Type.Object({
    ...pagedFields,
    mails: Type.Array(HeldMailView),
    reasons: Type.Array(
      Type.Object({ reason: OneOf(holdReasonNames, 'unknown_sender'), count: Type.Integer({ examples: [3] }) })
    )
  }),
  errors: [Forbidden],
  async handle({ body: { reason, search, discarded, ...asked }, actor, services }) {
    const page = pageOf(asked, limits)
    const filter = { reason, search, discarded: discarded === 1 }
    const { mails, total, reasons } = await heldMails(services.db, actor, filter, page)
    return {
      message: 'Held e-mails',
      data: { ...paged(mails, total, page), mails: mails.map(heldMailView), reasons }
    }
  }
})
