import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { DepartmentHasForm, TicketFormArchived, updateForm } from '../change-forms.ts'
import { formData, formFields, formView } from '../form-schemas.ts'
import { TicketFormNotFound } from '../forms.ts'

/** Changes the given fields; `deptids` and `items` are replaced as a whole. */
export const updateTicketForm = endpoint({
  path: '/api/admin/ticket-forms/update',
  aliases: ['/api/admin/ticket-forms/:id/update'],
  summary: 'Change a ticket form',
  access: 'admin',
  about: 'caller',
  body: Type.Object({
    id: Id(2),
    ...Type.Partial(Type.Object(formFields)).properties,
    expected_version: ExpectedVersion
  }),
  data: formData,
  errors: [TicketFormNotFound, VersionConflict, DepartmentHasForm, TicketFormArchived],
  async handle({ body, actor, caller, services }) {
    return { message: 'Ticket form changed', data: { form: formView(await updateForm(services, actor, caller, body)) } }
  }
})
