import { RotateCw } from 'lucide-react'
import { t } from '../lib/strings.ts'
import { State } from '../ui/state.tsx'

/** Shown in place of a page that failed to render. */
export function RenderErrorPage() {
  const action = { label: t('ui.reload'), icon: RotateCw, onClick: () => location.reload() }
  return (
    <main>
      <State kind="error" heading="h1" title={t('ui.brokenTitle')} text={t('ui.brokenText')} action={action} />
    </main>
  )
}
