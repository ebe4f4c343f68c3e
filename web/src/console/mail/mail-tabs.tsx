import { t } from '../../lib/strings.ts'
import { useRouterLocation } from '../../router/react.tsx'
import { Link } from '../navigation.ts'
import styles from './mail-tabs.module.css'
import { useHeldCounts } from './use-held-counts.ts'

/** Held, Log and Blocked senders. */
export function MailTabs() {
  const held = useHeldCounts()?.total
  const part = useRouterLocation(({ path }) => path.split('/')[2] ?? '')
  const current = (name: string) => (part === name ? 'page' : undefined)
  return (
    <>
      <Link to="/mail/held" aria-current={current('held')}>
        {t('held.tab')}
        {held ? <span className={styles.count}> {held}</span> : null}
      </Link>
      <Link to="/mail/log" search={{ days: 7 }} aria-current={current('log')}>
        {t('held.logTab')}
      </Link>
      <Link to="/mail/blocked" aria-current={current('blocked')}>
        {t('held.blockedSenders')}
      </Link>
    </>
  )
}
