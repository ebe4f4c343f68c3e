import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { formView, TicketFormView } from '../form-schemas.ts'
import { allForms } from '../forms.ts'

/** All ticket forms by name, archived ones last. */
export const listTicketForms = endpoint({
  path: '/api/admin/ticket-forms/list',
  aliases: ['/api/admin/ticket-forms'],
  summary: 'List the ticket forms',
  access: 'admin',
  onlyReads: true,
  data: Type.Object({ forms: Type.Array(TicketFormView) }),
  async handle({ services }) {
    return { message: 'Ticket forms', data: { forms: (await allForms(services.db)).map(formView) } }
  }
})
