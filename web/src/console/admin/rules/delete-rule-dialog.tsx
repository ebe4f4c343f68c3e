import { post } from '../../../app/api-client.ts'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import { type Rule, rulePaths } from './rule.ts'

interface DeleteRuleDialogProps {
  rule: Rule
  /** Before the rules are loaded again. */
  onDeleted?: () => void
  onClose: () => void
}

/** Asks before a rule is deleted with the log of its runs. */
export function DeleteRuleDialog({ rule, onDeleted, onClose }: DeleteRuleDialogProps) {
  return (
    <AsyncConfirmDialog
      title={t('rules.deleteNamed', { name: rule.name })}
      text={t('rules.deleteMeans')}
      confirmLabel={t('rules.delete')}
      keepLabel={t('definition.keep')}
      onConfirm={async () => {
        await post('/api/admin/rules/delete', { id: rule.id, expected_version: rule.version })
        onDeleted?.()
        await reloadQueries(rulePaths[0])
      }}
      onClose={onClose}
    />
  )
}
