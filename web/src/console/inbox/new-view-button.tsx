import { Plus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../app/lazy-part.ts'
import { loadStrings, t } from '../../lib/strings.ts'
import { useParams } from '../../router/react.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { useInbox } from './use-inbox.ts'

// The dialog is loaded when it is opened, because this button is on every page.
const NewViewDialog = lazyPart(async () => {
  const [{ NewViewDialog }] = await Promise.all([import('./saved-view-dialog.tsx'), loadStrings('views')])
  return { default: NewViewDialog }
})

/** Opens the dialog that keeps the filters of now under a name; nothing beside a page that shows no list. */
export function NewViewButton({ label }: { label?: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const { view } = useParams<{ view?: string }>()
  const { query } = useInbox()
  if (!query || view === undefined) return null
  return (
    <>
      {label === undefined ? (
        <IconButton icon={Plus} size={14} label={t('inbox.newView')} onClick={() => setIsOpen(true)} />
      ) : (
        <Button size="sm" variant="quiet" onClick={() => setIsOpen(true)}>
          {label}
        </Button>
      )}
      {isOpen && (
        <Suspense>
          <NewViewDialog query={query} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
