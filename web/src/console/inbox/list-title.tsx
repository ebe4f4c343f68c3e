import { ChevronDown } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '../../lib/strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { PageTitle, useTitle } from '../../ui/page.tsx'
import css from './inbox.module.css'
import { NavViews } from './nav-views.tsx'
import { isNarrowed, type QueueQuery } from './queue-search.ts'
import { SavedViewMenu } from './saved-view-dialog.tsx'
import type { Inbox } from './use-inbox.ts'
import { useIsPhone } from './use-layout.ts'

/** The name of the view. It is the heading of the page while no ticket is open, and on a phone the way to the other views. */
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
      {saved && <SavedViewMenu saved={saved} query={query} isNarrowed={isNarrowed(search)} />}
    </>
  )
}

/** An open ticket names the window instead. */
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
      <Dialog title={t('inbox.views')} open={isOpen} onClose={() => setIsOpen(false)}>
        <div className={css.sheet}>
          <NavViews isSheet />
        </div>
      </Dialog>
    </>
  )
}
