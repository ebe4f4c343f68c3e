import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { t } from '../../lib/strings.ts'
import { useParams } from '../../router/react.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { useInbox } from './use-inbox.ts'

// It stands in the navigation beside every page: what it opens comes when it is opened.
const NewViewDialog = lazy(async () => ({ default: (await import('./saved-view-dialog.tsx')).NewViewDialog }))

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
