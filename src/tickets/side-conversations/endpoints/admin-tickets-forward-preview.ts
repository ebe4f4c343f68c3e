import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { OutputText } from '../../../kit/schemas.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { previewForwarding } from '../forward-ticket.ts'
import { forwardingFields, forwardingIn } from '../forwarding-fields.ts'
import { ThirdPartyRefused } from '../refusals.ts'

const Address = OutputText('service@sungrid.example')

/** The e-mail that a third party would get by `tickets/forward`, exactly; nothing is sent. Files that are not uploaded yet are not among `attachments`. */
export const previewForward = endpoint({
  path: '/api/admin/tickets/forward/preview',
  aliases: ['/api/admin/tickets/:id/forward/preview'],
  summary: 'Preview what is forwarded to a third party',
  access: { anyOf: ['tickets.reply'] },
  onlyReads: true,
  body: Type.Object({ id: TicketRef, ...forwardingFields }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({
    from: OutputText('support@example.com'),
    to: Type.Array(Address),
    cc: Type.Array(Address),
    subject: OutputText('Error E-042 after the update'),
    text: OutputText('Is it safe?'),
    html: OutputText('<p>Is it safe?</p>'),
    attachments: Type.Array(
      Type.Object({ file_name: OutputText('photo.jpg'), file_size: Type.Integer({ minimum: 0, examples: [48211] }) })
    )
  }),
  errors: [TicketNotFound, ThirdPartyRefused],
  async handle({ body, actor, services }) {
    const data = await previewForwarding(services, { actor, ref: body.id }, forwardingIn(body, []))
    return { message: 'The e-mail as it would be sent', data }
  }
})
