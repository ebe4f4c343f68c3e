import { t } from '../../../lib/strings.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { Target } from '../../addresses.ts'
import { Link } from '../../navigation.ts'
import styles from './fields.module.css'
import { type FieldUse, usingDefinitions } from './fields.ts'

interface UsesDialogProps {
  name: string
  uses: readonly FieldUse[]
  /** Shown because the field cannot be deleted as long as it is used. */
  isRefusal: boolean
  onClose: () => void
}

/** What uses a field, each as a link. */
export function UsesDialog({ name, uses, isRefusal, onClose }: UsesDialogProps) {
  return (
    <Dialog
      open
      title={t(isRefusal ? 'fields-admin.stillUsed' : 'fields-admin.usesOf', { name })}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('admin.close')}</Button>}
    >
      {isRefusal && <p>{t('fields-admin.stillUsedText')}</p>}
      <ul className={styles.uses}>
        {usingDefinitions(uses).map(({ kind, id, name }) => {
          const target = pageOf(kind, id)
          return (
            <li key={`${kind} ${id}`}>
              <span className="muted">{t(`fields-admin.use.${kind}`)}</span>{' '}
              {target ? (
                <Link {...target} className="link">
                  {name}
                </Link>
              ) : (
                name
              )}
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}

/** Where a definition is edited. */
function pageOf(kind: FieldUse['kind'], id: number): Target | undefined {
  switch (kind) {
    case 'view':
      return { to: `/view-${id}` }
    case 'sla_policy':
      return { to: '/sla/$policyId', params: { policyId: String(id) } }
    case 'ticket_form':
      return { to: '/forms/$formId', params: { formId: String(id) } }
    default:
      return undefined
  }
}
