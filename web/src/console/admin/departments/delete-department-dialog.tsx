import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { SelectField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import { type Department, refreshDepartments } from './departments.ts'

interface DeleteDepartmentProps {
  department: Department
  /** The departments that its tickets and members can move to. */
  others: Department[]
  onClose: () => void
}

/** Deletes a department for good. Its tickets and members go to another one. */
export function DeleteDepartmentDialog({ department, others, onClose }: DeleteDepartmentProps) {
  const { id, name, version, ticket_count, trashed_ticket_count, member_count } = department
  const [to, setTo] = useState(String(others[0]?.id ?? ''))
  const hasTickets = ticket_count + trashed_ticket_count > 0
  const mustMove = (hasTickets || member_count > 0) && others.length > 0

  async function remove() {
    const move = mustMove ? { move_to_department_id: Number(to) } : {}
    const { tickets_left } = await post('/api/admin/departments/delete', { id, expected_version: version, ...move })
    void refreshDepartments()
    onClose()
    if (tickets_left) toast({ text: t('admin.departmentLeaves', { name, count: tickets_left }) })
    else announce(t('admin.wasDeleted', { name }))
  }

  return (
    <AsyncConfirmDialog
      title={t('admin.deleteNamed', { name })}
      text={
        hasTickets
          ? t('admin.deleteDepartmentMoves', { count: ticket_count + trashed_ticket_count, members: member_count })
          : member_count > 0
            ? t('admin.deleteDepartmentMembers', { count: member_count })
            : t('admin.deleteDepartmentEmpty')
      }
      {...(hasTickets && { typed: name })}
      confirmLabel={t('admin.deleteDepartment')}
      keepLabel={t('admin.keepDepartment')}
      onConfirm={remove}
      onClose={onClose}
    >
      {mustMove && (
        <SelectField
          label={t('admin.moveTo')}
          value={to}
          onChange={setTo}
          options={others.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
      )}
    </AsyncConfirmDialog>
  )
}
