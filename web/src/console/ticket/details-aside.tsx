import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { t } from '../../lib/strings.ts'
import type { ChosenMacro } from './chosen-macro.ts'
import styles from './details-aside.module.css'
import { DetailsPane } from './details-pane.tsx'
import type { Detail } from './thread-types.ts'
import type { ThreadActions } from './use-thread-actions.ts'
import type { TicketChange } from './use-ticket-change.ts'

/** The details: beside the thread in wide windows, until they are hidden; else a panel over it. */
const hasRoom = matchMedia('(min-width: 1280px)')
const storageKey = 'deskline:details-hidden'

export function useDetailsAside() {
  const [isHidden, setHidden] = useState(() => localStorage.getItem(storageKey) === 'yes')
  const [isOver, setOver] = useState(false)
  const toggle = useCallback(() => {
    if (!hasRoom.matches) return setOver(isOver => !isOver)
    setHidden(isHidden => {
      localStorage.setItem(storageKey, isHidden ? 'no' : 'yes')
      return !isHidden
    })
  }, [])
  const show = useCallback(() => {
    if (hasRoom.matches) setHidden(false)
    else setOver(true)
  }, [])
  return { isHidden, isOver, toggle, show, close: useCallback(() => setOver(false), []) }
}

interface DetailsAsideProps {
  detail: Detail
  change(change: TicketChange): Promise<unknown>
  macro: ChosenMacro | undefined
  actions: ThreadActions
  state: ReturnType<typeof useDetailsAside>
  /** Its space is reserved until it is rendered. */
  isFilled: boolean
  side: ReactNode
}

export function DetailsAside({ detail, change, macro, actions, state, isFilled, side }: DetailsAsideProps) {
  const aside = useRef<HTMLElement>(null)
  const { isHidden, isOver, toggle, close } = state

  useEffect(() => {
    if (!isOver) return
    const opener = document.activeElement
    aside.current?.querySelector<HTMLElement>('button')?.focus()
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [isOver])

  return (
    <aside
      ref={aside}
      className={[styles.aside, isHidden && styles.hidden, isOver && styles.over].filter(Boolean).join(' ')}
      aria-label={t('thread.detailsLabel')}
      onKeyDown={event => {
        if (event.key !== 'Escape' || !isOver) return
        event.stopPropagation()
        close()
      }}
    >
      {isFilled && (
        <DetailsPane detail={detail} change={change} macro={macro} actions={actions} onHide={toggle} side={side} />
      )}
    </aside>
  )
}
