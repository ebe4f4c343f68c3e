import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { createForm, DepartmentHasForm, TooManyTicketForms } from '../change-forms.ts'
import { formData, formFields, formView } from '../form-schemas.ts'

/**
 * Creates a form: the custom fields that are asked in its departments. A condition (`show_if`) looks at earlier fields only. With `is_default: 1` it
 * takes the place of the present default.
 */
export const createTicketForm = endpoint({
  path: '/api/admin/ticket-forms/create',
  summary: 'Create a ticket form',
  access: 'admin',
  about: 'caller',
  body: Type.Object({
    name: formFields.name,
    deptids: Type.Optional(formFields.deptids),
    items: formFields.items,
    is_default: Type.Optional(formFields.is_default)
  }),
  status: 201,
  data: formData,
  errors: [TooManyTicketForms, DepartmentHasForm],
  async handle({ body, actor, caller, services }) {
    return { message: 'Ticket form created', data: { form: formView(await createForm(services, actor, caller, body)) } }
  }
})
