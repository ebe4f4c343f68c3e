import { ArrowLeft, Ellipsis, KeyRound, Pencil } from 'lucide-react'
import { useState } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { useMe } from '../../../app/me.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { nameOf } from '../../../lib/person-name.ts'
import { t } from '../../../lib/strings.ts'
import { useParams } from '../../../router/react.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'
import { PageTitle, useTitle } from '../../../ui/page.tsx'
import { Link, useNavigate } from '../../navigation.ts'
import { avatarPersonOf, type StaffMember } from '../staff-members.ts'
import { EditStaffDialog, ResetPasswordDialog } from './edit-staff-dialogs.tsx'
import { ActivationDialog, DeleteSupporterDialog } from './end-access-dialogs.tsx'
import { PermissionMatrix } from './permission-matrix.tsx'
import styles from './staff.module.css'

/** One member of staff, and what they may do. */
export function StaffDetail() {
  const { staffId } = useParams<{ staffId: string }>()
  const member = useApiQuery('/api/admin/staff/detail', { id: Number(staffId) })
  return (
    <QueryState query={member} heading="h1">
      {({ staff }) => <Member key={staff.id} member={staff} />}
    </QueryState>
  )
}

type Open = 'edit' | 'password' | 'activation' | 'delete'

function Member({ member }: { member: StaffMember }) {
  const me = useMe()
  const navigate = useNavigate()
  const catalogue = useApiQuery('/api/admin/permissions', {})
  const [open, setOpen] = useState<Open>()
  const isMe = member.id === me.id
  const isAdmin = member.role === 'admin'
  const close = () => setOpen(undefined)
  useTitle(nameOf(member))

  return (
    <>
      <Link to="/staff" aria-current={false} className={styles.back}>
        <ArrowLeft size={16} aria-hidden /> {t('admin.staff')}
      </Link>
      <header className={styles.memberHead}>
        <Avatar person={avatarPersonOf(member)} size={44} />
        <div className={styles.memberName}>
          <PageTitle className={styles.name}>
            <bdi>{nameOf(member)}</bdi>
          </PageTitle>
          <p>
            {isAdmin ? t('admin.admin') : t('admin.supporter')}
            {!member.is_active && ` · ${t('admin.deactivated')}`}
            {member.phone_number && ` · ${member.phone_number}`}
          </p>
        </div>
        {me.isAdmin && (
          <div className={styles.memberActs}>
            <Button icon={Pencil} onClick={() => setOpen('edit')}>
              {t('admin.edit')}
            </Button>
            {!isMe && (
              <>
                <Button icon={KeyRound} onClick={() => setOpen('password')}>
                  {t('admin.resetPassword')}
                </Button>
                <Menu
                  align="end"
                  items={endings(member, setOpen)}
                  trigger={trigger => (
                    <button {...trigger} type="button" className={buttonClass()} aria-label={t('admin.moreActions')}>
                      <Ellipsis size={16} aria-hidden />
                    </button>
                  )}
                />
              </>
            )}
          </div>
        )}
      </header>
      <QueryState query={catalogue}>
        {({ permissions }) => (
          <PermissionMatrix
            key={member.permissions.join()}
            member={member}
            catalogue={permissions}
            lockedReason={lockedReason({ isAdmin, isMe, mayChange: me.isAdmin })}
          />
        )}
      </QueryState>
      {open === 'edit' && <EditStaffDialog member={member} onClose={close} />}
      {open === 'password' && <ResetPasswordDialog member={member} onClose={close} />}
      {open === 'activation' && <ActivationDialog member={member} onClose={close} />}
      {open === 'delete' && (
        <DeleteSupporterDialog member={member} onClose={close} onDeleted={() => navigate({ to: '/staff' })} />
      )}
    </>
  )
}

function endings(member: StaffMember, open: (which: Open) => void): MenuItem[] {
  return [
    {
      label: member.is_active ? t('admin.deactivateMore') : t('admin.activateMore'),
      onSelect: () => open('activation')
    },
    { kind: 'separator' },
    {
      label: t('admin.deleteMore'),
      danger: true,
      disabledReason: member.role === 'admin' ? t('admin.adminsStay') : undefined,
      onSelect: () => open('delete')
    }
  ]
}

function lockedReason({ isAdmin, isMe, mayChange }: { isAdmin: boolean; isMe: boolean; mayChange: boolean }) {
  if (isAdmin) return t('admin.adminsMayAll')
  if (!mayChange) return t('admin.onlyAdminsChange')
  if (isMe) return t('admin.notOwnRights')
  return undefined
}
