import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, OutputText } from '../../../kit/schemas.ts'
import { ClientNotFound } from '../client-record.ts'
import { clientViewDenied } from '../client-view-denied.ts'
import { ReaderLanguage } from '../columns.ts'
import { deliverabilityOf, Undeliverable } from '../deliverability.ts'

/** Shows whether e-mails to a client bounce, why, and their language (beyond the contract). */
export const showDeliverability = endpoint({
  path: '/api/admin/clients/deliverability',
  aliases: ['/api/admin/clients/:id/deliverability'],
  summary: 'Show whether e-mails to a client are deliverable',
  access: { anyOf: ['clients.view'] },
  onlyReads: true,
  forbidden: clientViewDenied,
  body: Type.Object({ id: Id() }),
  data: Type.Object({
    email: OutputText('ada@example.com'),
    language: ReaderLanguage,
    undeliverable: Undeliverable
  }),
  errors: [ClientNotFound],
  async handle({ body, services }) {
    return { message: 'Deliverability', data: await deliverabilityOf(services.db, body.id) }
  }
})
