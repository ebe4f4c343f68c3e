import { t } from '../../lib/strings.ts'
import { useRouterLocation } from '../../router/react.tsx'
import { Link } from '../navigation.ts'

export function HeldTabs() {
  const isBlocked = useRouterLocation(({ path }) => path === '/held-mail/blocked')
  return (
    <>
      <Link to="/held-mail" aria-current={isBlocked ? undefined : 'page'}>
        {t('held.title')}
      </Link>
      <Link to="/held-mail/blocked">{t('held.blockedSenders')}</Link>
    </>
  )
}
