import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, OutputText } from '../../../kit/schemas.ts'
import { AdminNotDeletable, deleteSupporter } from '../administration.ts'
import { StaffNotFound } from '../member.ts'

/** Permanently deletes a supporter (contract: POST /api/admin/staff/delete). */
export const deleteStaffMember = endpoint({
  path: '/api/admin/staff/delete',
  aliases: ['/api/admin/staff/:id/delete'],
  summary: 'Delete a supporter',
  access: 'admin',
  signedInOnly: true,
  about: { staff: ['id'] },
  body: Type.Object({ id: Id() }),
  data: Type.Object({ deleted_id: Id(), email: OutputText('grace@example.com') }),
  errors: [StaffNotFound, AdminNotDeletable],
  async handle({ body, actor, caller, services }) {
    const { id, email } = await deleteSupporter(services, actor, caller, body.id)
    return { message: 'Supporter deleted', data: { deleted_id: id, email } }
  }
})
