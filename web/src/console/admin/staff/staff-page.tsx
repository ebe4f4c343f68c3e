import { Plus, Users } from 'lucide-react'
import { useState } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { useMe } from '../../../app/me.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { nameOf } from '../../../lib/person-name.ts'
import { t } from '../../../lib/strings.ts'
import { Outlet, useParams } from '../../../router/react.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { PageTitle } from '../../../ui/page.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { awayText } from '../../away.ts'
import { Link } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import { avatarPersonOf, type StaffSummary } from '../staff-members.ts'
import { AddSupporterDialog } from './add-supporter-dialog.tsx'
import styles from './staff.module.css'

/** The list of staff, beside the details of one of them. */
export function StaffPage() {
  const me = useMe()
  const { staffId } = useParams<{ staffId?: string }>()
  const staff = useApiQuery('/api/admin/staff/list', {})
  const [isAdding, setAdding] = useState(false)

  return (
    <AdminPage title={t('admin.staff')} width="list" hasBack={!staffId}>
      <div className={styles.panes} data-open={staffId ? 'detail' : 'list'}>
        <section className={styles.list} aria-label={t('admin.staff')}>
          <header className={styles.listHead}>
            {staffId ? (
              <p className={styles.paneTitle}>{t('admin.staff')}</p>
            ) : (
              <PageTitle className={styles.paneTitle}>{t('admin.staff')}</PageTitle>
            )}
            <span className={styles.count}>{staff.data?.total}</span>
            {me.isAdmin && (
              <Button size="sm" icon={Plus} onClick={() => setAdding(true)}>
                {t('admin.addSupporter')}
              </Button>
            )}
          </header>
          <QueryState query={staff}>
            {({ staff }) => (
              <ul>
                {staff.map(member => (
                  <StaffRow key={member.id} member={member} isOpen={String(member.id) === staffId} />
                ))}
              </ul>
            )}
          </QueryState>
        </section>
        <section className={styles.detail}>
          {staffId ? (
            <Outlet />
          ) : (
            <StateMessage icon={Users} title={t('admin.chooseMember')} text={t('admin.chooseMemberText')} />
          )}
        </section>
      </div>
      {isAdding && <AddSupporterDialog onClose={() => setAdding(false)} />}
    </AdminPage>
  )
}

function StaffRow({ member, isOpen }: { member: StaffSummary; isOpen: boolean }) {
  const { id, email, role, is_active, permissions } = member
  const away = awayText(member.away_until)
  return (
    <li>
      <Link
        to="/staff/$staffId"
        params={{ staffId: String(id) }}
        className={styles.person}
        aria-current={isOpen ? 'page' : undefined}
        data-off={is_active ? undefined : ''}
      >
        <Avatar person={avatarPersonOf(member)} />
        <span className={styles.who}>
          <bdi>{nameOf(member)}</bdi>
          <span>{away ? `${email} · ${away}` : email}</span>
        </span>
        {!is_active ? (
          <span className={styles.state}>{t('admin.deactivated')}</span>
        ) : role === 'admin' ? (
          <Badge tone="accent">{t('admin.admin')}</Badge>
        ) : (
          <span className={styles.state}>{t('admin.countOf', { count: permissions.length, total: 12 })}</span>
        )}
      </Link>
    </li>
  )
}
