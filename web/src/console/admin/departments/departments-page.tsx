import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { useMe } from '../../../app/me.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { t } from '../../../lib/strings.ts'
import { numberText } from '../../../lib/times.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { AdminPage } from '../admin-page.tsx'
import tables from '../tables.module.css'
import { DeleteDepartmentDialog } from './delete-department-dialog.tsx'
import { DepartmentDialog } from './department-dialog.tsx'
import { type Department, setActive } from './departments.ts'
import { MembersDialog } from './members-dialog.tsx'

type Open = { what: 'add' } | { what: 'edit' | 'members' | 'delete'; department: Department }

/** The departments, including deactivated ones. */
export function DepartmentsPage() {
  const mayManage = useMe().can('departments.manage')
  const departments = useApiQuery('/api/admin/departments/list', { limit: 1000 })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)

  return (
    <AdminPage
      title={t('admin.departments')}
      lede={t('admin.departmentsLede')}
      actions={
        mayManage && (
          <Button variant="primary" icon={Plus} onClick={() => setOpen({ what: 'add' })}>
            {t('admin.addDepartment')}
          </Button>
        )
      }
    >
      <QueryState query={departments}>
        {({ departments }) => (
          <Table
            label={t('admin.allDepartments')}
            columns={columns()}
            rows={departments}
            rowKey={({ id }) => id}
            density="tall"
            isOff={({ is_active }) => !is_active}
            rowMenuLabel={({ name }) => t('admin.actionsFor', { name })}
            {...(mayManage && { rowMenu: (department: Department) => actionsOn(department, setOpen) })}
          />
        )}
      </QueryState>
      <p className={tables.hint}>{t('admin.departmentsHint')}</p>
      {open?.what === 'add' && <DepartmentDialog onClose={close} />}
      {open?.what === 'edit' && <DepartmentDialog department={open.department} onClose={close} />}
      {open?.what === 'members' && <MembersDialog department={open.department} onClose={close} />}
      {open?.what === 'delete' && (
        <DeleteDepartmentDialog
          department={open.department}
          others={
            departments.data?.departments.filter(({ id, is_active }) => is_active && id !== open.department.id) ?? []
          }
          onClose={close}
        />
      )}
    </AdminPage>
  )
}

const columns = (): Column<Department>[] => [
  {
    key: 'name',
    label: t('admin.department'),
    cell: ({ name, description, is_active, moving }) => (
      <>
        <span className="row-x wrap">
          <bdi className={tables.name}>{name}</bdi>
          {moving && <Badge tone="amber">{t('admin.movingLeft', { count: moving.tickets_left })}</Badge>}
          {!is_active && !moving && <Badge>{t('admin.outOfUse')}</Badge>}
        </span>
        {description && <span className={tables.below}>{description}</span>}
      </>
    )
  },
  { key: 'number', label: t('admin.number'), cell: ({ deptid }) => <span className="t2 num">{deptid}</span> },
  {
    key: 'open',
    label: t('admin.openTickets'),
    number: true,
    cell: ({ open_ticket_count }) => numberText(open_ticket_count)
  },
  {
    key: 'all',
    label: t('admin.allTickets'),
    number: true,
    cell: ({ ticket_count }) => <span className="t2">{numberText(ticket_count)}</span>
  },
  {
    key: 'members',
    label: t('admin.limitedToIt'),
    cell: ({ member_count }) => (
      <span className="t2">{member_count > 0 && t('admin.limitedCount', { count: member_count })}</span>
    )
  }
]

function actionsOn(department: Department, open: (open: Open) => void): MenuItem[] {
  const disabledReason = department.moving ? t('admin.isMoving') : undefined
  return [
    { label: t('admin.editMore'), onSelect: () => open({ what: 'edit', department }) },
    { label: t('admin.membersMore'), onSelect: () => open({ what: 'members', department }) },
    {
      label: department.is_active ? t('admin.takeOutOfUse') : t('admin.takeIntoUse'),
      disabledReason,
      onSelect: () => void setActive(department)
    },
    { kind: 'separator' },
    { label: t('admin.deleteMore'), danger: true, disabledReason, onSelect: () => open({ what: 'delete', department }) }
  ]
}
