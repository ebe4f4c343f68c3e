import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useForm } from '../../../app/form.ts'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/form-controls.tsx'
import { toast } from '../../../ui/toast.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { type Permission, permissionGroupLabel, permissionLabel } from '../permission-labels.ts'
import type { StaffMember } from '../staff-members.ts'
import styles from './staff.module.css'

interface MatrixProps {
  member: StaffMember
  catalogue: Permission[]
  /** Why nothing can be changed here. */
  lockedReason: string | undefined
}

/** Twelve permissions in four groups. The footer lists unsaved changes and saves them. */
export function PermissionMatrix({ member, catalogue, lockedReason }: MatrixProps) {
  const isAdmin = member.role === 'admin'
  const saved = isAdmin ? catalogue.map(({ slug }) => slug) : member.permissions
  const [chosen, setChosen] = useState(() => new Set(saved))
  const form = useForm({})
  const changed = catalogue.filter(({ slug }) => chosen.has(slug) !== saved.includes(slug))

  function toggle(slug: string) {
    const next = new Set(chosen)
    if (!next.delete(slug)) next.add(slug)
    setChosen(next)
  }

  async function save() {
    try {
      const permissions = catalogue.map(({ slug }) => slug).filter(slug => chosen.has(slug)) as never[]
      await post('/api/admin/staff/permissions', { id: member.id, permissions })
      await reloadQueries('/api/admin/staff/detail', '/api/admin/staff/list')
      announce(t('admin.permissionsSaved'))
    } catch (error) {
      toast({ text: adminFailureText(error), tone: 'bad' })
    }
  }

  return (
    <form className={styles.matrix} onSubmit={event => void form.submit(save, event)}>
      <header className={styles.matrixHead}>
        <h2>
          {t('admin.mayDo', { name: member.first_name })}{' '}
          <span className={styles.count}>{t('admin.countOf', { count: chosen.size, total: catalogue.length })}</span>
        </h2>
        <p>{lockedReason ?? t('admin.atNextRequest')}</p>
      </header>
      {groupsOf(catalogue).map(([category, permissions]) => (
        <fieldset key={category} disabled={lockedReason !== undefined} className={styles.group}>
          <legend>
            {permissionGroupLabel(category)}
            <span className={styles.count}>
              {t('admin.countOf', {
                count: permissions.filter(({ slug }) => chosen.has(slug)).length,
                total: permissions.length
              })}
            </span>
          </legend>
          <div className={styles.permissions}>
            {permissions.map(permission => {
              const { name, sentence } = permissionLabel(permission)
              return (
                <div key={permission.slug} className={styles.permission}>
                  <Checkbox
                    label={
                      <>
                        <span className={styles.permissionName}>{name}</span>{' '}
                        <span className={styles.sentence}>{sentence}</span>
                      </>
                    }
                    checked={chosen.has(permission.slug)}
                    disabled={lockedReason !== undefined}
                    onChange={() => toggle(permission.slug)}
                  />
                  <code className={styles.slug}>{permission.slug}</code>
                </div>
              )
            })}
          </div>
        </fieldset>
      ))}
      {changed.length > 0 && (
        <footer className={styles.matrixFoot}>
          <p role="status">
            {t('admin.changes', { count: changed.length })}{' '}
            {changed.map((permission, at) => (
              <span key={permission.slug}>
                {at > 0 && ', '}
                <b>{permissionLabel(permission).name}</b>{' '}
                {chosen.has(permission.slug) ? t('admin.added') : t('admin.takenAway')}
              </span>
            ))}
          </p>
          <Button variant="quiet" onClick={() => setChosen(new Set(saved))}>
            {t('admin.discard')}
          </Button>
          <Button variant="primary" type="submit" busy={form.isBusy} busyLabel={t('admin.saving')}>
            {t('admin.savePermissions')}
          </Button>
        </footer>
      )}
    </form>
  )
}

function groupsOf(catalogue: Permission[]): [string, Permission[]][] {
  const groups = new Map<string, Permission[]>()
  for (const permission of catalogue)
    groups.set(permission.category, [...(groups.get(permission.category) ?? []), permission])
  return [...groups]
}
