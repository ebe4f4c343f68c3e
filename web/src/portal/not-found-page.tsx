import { t } from '../lib/strings.ts'
import { StateMessage } from '../ui/state-message.tsx'
import { LinkButton } from './link-button.tsx'
import { PortalPage } from './portal-page.tsx'

/** For addresses that no page has. */
export function NotFoundPage() {
  return (
    <PortalPage title={t('portal.noSuchPage')} isHeadless>
      <StateMessage
        kind="404"
        heading="h1"
        title={t('portal.noSuchPage')}
        text={t('portal.noSuchPageText')}
        action={<LinkButton to="/">{t('portal.toMyTickets')}</LinkButton>}
      />
    </PortalPage>
  )
}
