import { ChevronDown } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../../app/lazy-part.ts'
import { loadStrings } from '../../lib/strings.ts'
import { PageTitle, useTitle } from '../../ui/page.tsx'
import { useIsPhone } from '../use-layout.ts'
import css from './inbox.module.css'
import { isFiltered, type QueueQuery } from './queue-search.ts'
import type { Inbox } from './use-inbox.ts'

const ViewsSheet = lazyPart(async () => ({ default: (await import('./views-sheet.tsx')).ViewsSheet }))
const SavedViewMenu = lazyPart(async () => {
  const [{ SavedViewMenu }] = await Promise.all([import('./saved-view-dialog.tsx'), loadStrings('views')])
  return { default: SavedViewMenu }
})

/** The name of the view. It is the heading of the page while no ticket is open, and on phones a button that opens the other views. */
export function ListTitle({ inbox, query }: { inbox: Inbox; query: QueueQuery }) {
  const { title, open, saved, search, place } = inbox
  const isPhone = useIsPhone()
  const name = isPhone ? <Switcher title={title} place={place} /> : <bdi>{title}</bdi>
  return (
    <>
      {open === undefined ? (
        <>
          <WindowTitle title={title} />
          <PageTitle key={place} className={css.title!}>
            {name}
          </PageTitle>
        </>
      ) : (
        <h2 className={css.title}>{name}</h2>
      )}
      <Suspense>{saved && <SavedViewMenu saved={saved} query={query} isNarrowed={isFiltered(search)} />}</Suspense>
    </>
  )
}

/** With an open ticket, the ticket sets the window title. */
function WindowTitle({ title }: { title: string }) {
  useTitle(title)
  return null
}

function Switcher({ title, place }: { title: string; place: string }) {
  const [isOpen, setIsOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view closes the sheet.
  useEffect(() => setIsOpen(false), [place])
  return (
    <>
      <button type="button" className={css.switcher} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        <span>{title}</span>
        <ChevronDown size={18} aria-hidden />
      </button>
      <Suspense>{isOpen && <ViewsSheet onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}
