import { post } from '../../../app/api-client.ts'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { nameOf } from '../../../lib/person-name.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import type { StaffMember } from '../staff-members.ts'
import { useOpenTickets } from './open-tickets.ts'

interface DialogProps {
  member: StaffMember
  onClose: () => void
}

/** Deactivates a colleague's account, or reactivates it. Nothing is deleted. */
export function ActivationDialog({ member, onClose }: DialogProps) {
  const openTickets = useOpenTickets(member.id)
  const name = nameOf(member)
  const isActive = member.is_active === 1

  async function change() {
    await post('/api/admin/staff/update', { id: member.id, is_active: isActive ? 0 : 1 })
    await reloadQueries('/api/admin/staff/detail', '/api/admin/staff/list')
    announce(isActive ? t('admin.wasDeactivated', { name }) : t('admin.wasActivated', { name }))
    onClose()
  }

  return (
    <AsyncConfirmDialog
      title={isActive ? t('admin.deactivateNamed', { name }) : t('admin.activateNamed', { name })}
      text={
        isActive
          ? `${t('admin.deactivateMeans', { name })} ${openTickets === undefined ? '' : t('admin.openTicketsStay', { count: openTickets })}`
          : t('admin.activateMeans', { name })
      }
      confirmLabel={isActive ? t('admin.deactivate') : t('admin.activate')}
      keepLabel={isActive ? t('admin.keepActive') : t('admin.leaveOff')}
      isHarmless={!isActive}
      onConfirm={change}
      onClose={onClose}
    />
  )
}

/** Deletes a supporter for good; what they wrote stays under their name. */
export function DeleteSupporterDialog({ member, onClose, onDeleted }: DialogProps & { onDeleted: () => void }) {
  const openTickets = useOpenTickets(member.id)
  const name = nameOf(member)

  async function remove() {
    await post('/api/admin/staff/delete', { id: member.id })
    onDeleted()
    onClose()
    void reloadQueries('/api/admin/staff/list', '/api/admin/departments/list')
    announce(t('admin.wasDeleted', { name }))
  }

  return (
    <AsyncConfirmDialog
      title={t('admin.deleteNamed', { name })}
      text={`${t('admin.deleteSupporterMeans', { name })} ${openTickets === undefined ? '' : t('admin.openTicketsFree', { count: openTickets })}`}
      typed={name}
      confirmLabel={t('admin.deleteSupporter')}
      keepLabel={t('admin.keepSupporter')}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
