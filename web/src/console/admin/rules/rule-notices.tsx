import type { DataOf } from '@deskline/client'
import { t } from '../../../lib/strings.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Link } from '../../navigation.ts'
import { attentionText } from '../attention-text.ts'
import type { Rule } from './rule.ts'
import { useSwitchRule } from './use-switch-rule.tsx'

interface RuleNoticesProps {
  rule: Rule
  warnings: DataOf<'/api/admin/rules/detail'>['warnings']
  others: readonly Rule[]
}

/** Why a rule stands still, what of it is skipped, and which rule sets back what it sets. */
export function RuleNotices({ rule, warnings, others }: RuleNoticesProps) {
  const { attention, paused_reason, is_active } = rule
  const { switchTo, dialog } = useSwitchRule()
  return (
    <>
      {is_active === 1 && paused_reason && (
        <Banner tone="warn" action={{ label: t('rules.resume'), onClick: () => switchTo(rule, 'resume') }}>
          {t(`rules.pausedText.${paused_reason}`)}
        </Banner>
      )}
      {dialog}
      {attention.map(each => (
        <Banner key={each.text} tone="warn">
          {each.reason === 'fights' ? attentionText(each) : t('rules.oneSkipped', { why: attentionText(each) })}
        </Banner>
      ))}
      {warnings.map(({ rule_id: id }) => (
        <Banner key={id} tone="warn">
          {t('rules.undoes')}{' '}
          <Link to="/rules/$ruleId" params={{ ruleId: String(id) }} className="link">
            <bdi>{others.find(other => other.id === id)?.name ?? String(id)}</bdi>
          </Link>
        </Banner>
      ))}
    </>
  )
}
