import type { ComponentProps } from 'react'
import { t } from '../../../lib/strings.ts'
import { Link } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import styles from './rules.module.css'

type RuleFrameProps = Omit<ComponentProps<typeof AdminPage>, 'above' | 'tabs'> & {
  /** Undefined while the rule is new. */
  ruleId: number | undefined
  tab: 'rule' | 'runs' | 'versions'
}

/** The pages of one rule: what it says, what it did, and what it said before. */
export function RuleFrame({ ruleId, tab, children, ...page }: RuleFrameProps) {
  const params = { ruleId: String(ruleId) }
  const current = (own: RuleFrameProps['tab']) => (own === tab ? 'page' : undefined)
  return (
    <AdminPage {...page} above={{ to: '/rules', label: t('rules.title') }}>
      {ruleId !== undefined && (
        <nav className={`tabs ${styles.tabs}`} aria-label={t('rules.pagesOf', { name: page.title })}>
          <Link to="/rules/$ruleId" params={params} aria-current={current('rule')}>
            {t('rules.rule')}
          </Link>
          <Link to="/rules/$ruleId/runs" params={params} aria-current={current('runs')}>
            {t('rules.runs')}
          </Link>
          <Link to="/rules/$ruleId/versions" params={params} aria-current={current('versions')}>
            {t('rules.versions')}
          </Link>
        </nav>
      )}
      {children}
    </AdminPage>
  )
}
