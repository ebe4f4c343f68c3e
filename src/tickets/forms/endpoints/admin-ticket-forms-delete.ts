import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { deleteForm } from '../change-forms.ts'
import { TicketFormNotFound } from '../forms.ts'

/** Deletes a form. The fields and their values stay. */
export const deleteTicketForm = endpoint({
  path: '/api/admin/ticket-forms/delete',
  aliases: ['/api/admin/ticket-forms/:id/delete'],
  summary: 'Delete a ticket form',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(2), expected_version: ExpectedVersion }),
  data: Type.Object({ deleted_id: Id(2) }),
  errors: [TicketFormNotFound, VersionConflict],
  async handle({ body, actor, caller, services }) {
    await deleteForm(services, actor, caller, body)
    return { message: 'Ticket form deleted', data: { deleted_id: body.id } }
  }
})
