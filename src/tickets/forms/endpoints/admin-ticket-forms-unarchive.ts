import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { DepartmentHasForm, setFormArchived, TooManyTicketForms } from '../change-forms.ts'
import { formData, formView } from '../form-schemas.ts'
import { TicketFormNotFound } from '../forms.ts'

/** Takes an archived form back into use, if its departments have no other form by now. It is no default. */
export const unarchiveTicketForm = endpoint({
  path: '/api/admin/ticket-forms/unarchive',
  aliases: ['/api/admin/ticket-forms/:id/unarchive'],
  summary: 'Take an archived ticket form back into use',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(2), expected_version: ExpectedVersion }),
  data: formData,
  errors: [TicketFormNotFound, VersionConflict, TooManyTicketForms, DepartmentHasForm],
  async handle({ body, actor, caller, services }) {
    const form = await setFormArchived(services, actor, caller, body, false)
    return { message: 'Ticket form in use again', data: { form: formView(form) } }
  }
})
