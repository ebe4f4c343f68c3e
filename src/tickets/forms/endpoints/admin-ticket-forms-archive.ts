import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { setFormArchived } from '../change-forms.ts'
import { formData, formView } from '../form-schemas.ts'
import { TicketFormNotFound } from '../forms.ts'

/** Takes a form out of use: nothing is asked by it any more, and it is no default. */
export const archiveTicketForm = endpoint({
  path: '/api/admin/ticket-forms/archive',
  aliases: ['/api/admin/ticket-forms/:id/archive'],
  summary: 'Archive a ticket form',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(2), expected_version: ExpectedVersion }),
  data: formData,
  errors: [TicketFormNotFound, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const form = await setFormArchived(services, actor, caller, body, true)
    return { message: 'Ticket form archived', data: { form: formView(form) } }
  }
})
