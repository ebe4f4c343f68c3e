import { RotateCw } from 'lucide-react'
import { t } from '../lib/strings.ts'
import { StateMessage } from '../ui/state-message.tsx'

/** Shown in place of a page that failed to render. */
export function RenderErrorPage() {
  const action = { label: t('ui.reload'), icon: RotateCw, onClick: () => location.reload() }
  return (
    <main>
      <StateMessage kind="error" heading="h1" title={t('ui.brokenTitle')} text={t('ui.brokenText')} action={action} />
    </main>
  )
}
