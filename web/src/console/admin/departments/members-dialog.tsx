import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { failureOf } from '../../../app/failures.ts'
import { useForm } from '../../../app/form.ts'
import { FormDialog } from '../../../app/form-dialog.tsx'
import { QueryState } from '../../../app/query-state.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { nameOf } from '../../../lib/person-name.ts'
import { t } from '../../../lib/strings.ts'
import { listText } from '../../../lib/times.ts'
import { announce } from '../../../ui/announce.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Checkbox } from '../../../ui/form-controls.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import forms from '../forms.module.css'
import { type Department, refreshDepartments } from './departments.ts'

interface MembersDialogProps {
  department: Department
  onClose: () => void
}

/** Chooses the supporters who are restricted to this department. Lifting a restriction needs a confirmation. */
export function MembersDialog({ department, onClose }: MembersDialogProps) {
  const members = useApiQuery('/api/admin/departments/members', { id: department.id }, { staleTime: 0, gcTime: 0 })
  return (
    <QueryState query={members} skeleton={null}>
      {({ members, version }) => (
        <Members department={department} members={members} version={version} onClose={onClose} />
      )}
    </QueryState>
  )
}

interface Supporter {
  id: number
  first_name: string
  last_name: string
  email: string
}

function Members({
  department,
  members,
  version,
  onClose
}: MembersDialogProps & { members: Supporter[]; version: number }) {
  const staff = useApiQuery('/api/admin/staff/list', {}, { retry: false })
  const [chosen, setChosen] = useState(() => new Set(members.map(({ id }) => id)))
  const [freed, setFreed] = useState<number[]>()
  const form = useForm({}, { failureText: adminFailureText })
  // Somebody who may not list the staff still sees the current members, and can remove them.
  const supporters = staff.data?.staff.filter(({ role }) => role === 'supporter') ?? members
  const isChanged = chosen.size !== members.length || members.some(({ id }) => !chosen.has(id))

  function toggle(id: number) {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
    setFreed(undefined)
  }

  async function save() {
    const body = { id: department.id, staff_ids: [...chosen], expected_version: version }
    const confirmed = freed ? { confirm_unlimited: 1 as const } : {}
    try {
      await post('/api/admin/departments/members', { ...body, ...confirmed })
    } catch (error) {
      const failure = failureOf(error)
      if (failure?.reason !== 'sees_everything_again') throw error
      setFreed(failure.data?.unlimited_staff_ids as number[])
      return 'stay'
    }
    void refreshDepartments()
    void reloadQueries('/api/admin/departments/members')
    announce(t('admin.saved'))
  }

  const freedNames = supporters.filter(({ id }) => freed?.includes(id)).map(nameOf)
  return (
    <FormDialog
      title={t('admin.membersOf', { name: department.name })}
      form={form}
      isChanged={isChanged}
      saveLabel={freed ? t('admin.letSeeAll', { count: freed.length }) : t('admin.save')}
      keepLabel={t('admin.discard')}
      tone={freed ? 'confirm' : 'primary'}
      onSave={save}
      onClose={onClose}
    >
      <p>{t('admin.membersLede')}</p>
      <fieldset className={forms.stack}>
        <legend className="visually-hidden">{t('admin.supporters')}</legend>
        <div className={forms.scroll}>
          {supporters.length === 0 && <p>{t('admin.noSupporters')}</p>}
          {supporters.map(supporter => (
            <Checkbox
              key={supporter.id}
              label={<bdi>{nameOf(supporter)}</bdi>}
              hint={supporter.email}
              checked={chosen.has(supporter.id)}
              onChange={() => toggle(supporter.id)}
            />
          ))}
        </div>
      </fieldset>
      {freed && (
        <Banner tone="warn">{t('admin.willSeeAll', { names: listText(freedNames), count: freed.length })}</Banner>
      )}
    </FormDialog>
  )
}
