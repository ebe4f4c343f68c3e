import { t } from '../lib/strings.ts'
import { LinkButton } from './link-button.tsx'
import { StatePage } from './state-page.tsx'

/** For addresses that no page has. */
export function NotFoundPage() {
  return (
    <StatePage
      kind="404"
      title={t('portal.noSuchPage')}
      text={t('portal.noSuchPageText')}
      action={<LinkButton to="/">{t('portal.toMyTickets')}</LinkButton>}
    />
  )
}
