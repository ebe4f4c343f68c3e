import { Plus, Trash2 } from 'lucide-react'
import { useApiQuery } from '../../../app/api-queries.ts'
import type { Form } from '../../../app/form.ts'
import { permissions } from '../../../app/me.ts'
import { t } from '../../../lib/strings.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Checkbox } from '../../../ui/form-controls.tsx'
import forms from '../forms.module.css'
import { type MappedRole, type ProviderDraft, rolesOf } from './providers.ts'
import styles from './sign-on.module.css'

/** Which permissions and departments each value of the claim gives. */
export function RoleRows({ form }: { form: Form<ProviderDraft> }) {
  const { data } = useApiQuery('/api/departments', {})
  const departments = data?.departments ?? []
  const roles = rolesOf(form.values)
  const save = (next: MappedRole[]) => form.set('roles', JSON.stringify(next))
  const change = (at: number, changes: Partial<MappedRole>) =>
    save(roles.map((role, index) => (index === at ? { ...role, ...changes } : role)))
  const toggled = <T,>(list: readonly T[], value: T, isOn: boolean) =>
    isOn ? [...list, value] : list.filter(each => each !== value)

  return (
    <>
      {roles.map(({ role, permissions: given, deptids }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: roles are told apart by their place while they are typed.
        <fieldset key={at} className={styles.role}>
          <legend className="visually-hidden">{role || t('sign-on-admin.newRole')}</legend>
          <div className={styles.roleHead}>
            <TextField
              label={t('sign-on-admin.role')}
              value={role}
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
              onChange={next => change(at, { role: next })}
            />
            <IconButton
              icon={Trash2}
              label={t('sign-on-admin.removeRole', { name: role })}
              onClick={() => save(roles.filter((_, index) => index !== at))}
            />
          </div>
          <details className={forms.fold} open={given.length + deptids.length === 0 || undefined}>
            <summary>{t('sign-on-admin.gives', { permissions: given.length, departments: deptids.length })}</summary>
            <div className={forms.kinds}>
              {permissions.map(slug => (
                <Checkbox
                  key={slug}
                  label={t(`admin.permission.${slug}`)}
                  checked={given.includes(slug)}
                  onChange={isOn => change(at, { permissions: toggled(given, slug, isOn) })}
                />
              ))}
              {departments.map(({ deptid, name }) => (
                <Checkbox
                  key={deptid}
                  label={t('sign-on-admin.inDepartment', { name })}
                  checked={deptids.includes(deptid)}
                  onChange={isOn => change(at, { deptids: toggled(deptids, deptid, isOn) })}
                />
              ))}
            </div>
          </details>
        </fieldset>
      ))}
      <div>
        <Button icon={Plus} onClick={() => save([...roles, { role: '', permissions: [], deptids: [] }])}>
          {t('sign-on-admin.addRole')}
        </Button>
      </div>
    </>
  )
}
