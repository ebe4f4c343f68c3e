import type { DataOf } from '@deskline/client'
import { t } from '../../lib/strings.ts'

type Attention = DataOf<'/api/admin/rules/list'>['rules'][number]['attention'][number]

/** Why a rule does not do all that it says. */
export function attentionText({ reason, name, count = 0 }: Attention): string {
  if (reason === 'fights') return t('admin.attention.fights', { name, count })
  return t(reason.endsWith('_gone') ? 'admin.attention.gone' : 'admin.attention.out_of_use', { what: name })
}
