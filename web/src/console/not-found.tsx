import { Search } from 'lucide-react'
import { t } from '../lib/strings.ts'
import { useTitle } from '../ui/page.tsx'
import { StateMessage } from '../ui/state-message.tsx'

/** The page for unknown addresses. It does not reveal whether there was something. */
export function NotFound() {
  useTitle(t('ui.goneTitle'))
  const back = { label: t('console.backToTickets'), href: '/desk' }
  return (
    <div className="page">
      <StateMessage
        kind="404"
        icon={Search}
        heading="h1"
        title={t('ui.goneTitle')}
        text={t('ui.goneText')}
        action={back}
      />
    </div>
  )
}
