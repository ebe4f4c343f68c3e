import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, OutputText } from '../../../kit/schemas.ts'
import { ClientNotFound } from '../client-record.ts'
import { resumeDelivery, Undeliverable } from '../deliverability.ts'

/** Resumes e-mails to a client whose mailbox works again; another bounce stops them again (beyond the contract). */
export const sendToClientAgain = endpoint({
  path: '/api/admin/clients/deliver-again',
  aliases: ['/api/admin/clients/:id/deliver-again'],
  summary: 'Resume e-mails to a client whose address bounced',
  access: { anyOf: ['clients.edit'] },
  about: { clients: ['id'] },
  body: Type.Object({ id: Id() }),
  data: Type.Object({ email: OutputText('ada@example.com'), undeliverable: Undeliverable }),
  errors: [ClientNotFound],
  async handle({ body, actor, caller, services }) {
    return { message: 'E-mails are sent again', data: await resumeDelivery(services, actor, caller, body.id) }
  }
})
