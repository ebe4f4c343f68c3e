import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { formData, formView } from '../form-schemas.ts'
import { formWith, TicketFormNotFound } from '../forms.ts'

/** One ticket form, archived or not. */
export const showFormToAdmin = endpoint({
  path: '/api/admin/ticket-forms/detail',
  aliases: ['/api/admin/ticket-forms/:id', '/api/admin/ticket-forms/:id/detail'],
  summary: 'Show a ticket form',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({ id: Id(2) }),
  data: formData,
  errors: [TicketFormNotFound],
  async handle({ body, services }) {
    return { message: 'Ticket form', data: { form: formView(await formWith(services.db, body.id)) } }
  }
})
