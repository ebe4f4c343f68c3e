import { type ReactNode, Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { lazyPart } from '../../app/lazy-part.ts'
import { can } from '../../app/me.ts'
import { loadStrings, t } from '../../lib/strings.ts'
import { useShortcut } from '../../ui/shortcuts.ts'
import { toast } from '../../ui/toast.tsx'
import { type Overlay, openNewTicket, openPalette, openShortcuts, overlay } from '../overlay.ts'
import { bufferKeys, type KeyBuffer } from './key-buffer.ts'

const Palette = lazyPart(async () => ({ default: (await import('./palette.tsx')).Palette }))
const ShortcutsSheet = lazyPart(async () => ({ default: (await import('./shortcuts-sheet.tsx')).ShortcutsSheet }))
const NewTicketDialog = lazyPart(async () => ({
  default: (await import('../clients/new-ticket-dialog.tsx')).NewTicketDialog
}))

type Shown = Overlay & { early: KeyBuffer }

/** Dialogs that open over any page, each loaded on its first use: the palette, the sheet of shortcuts, a new ticket. */
export function Overlays() {
  const [shown, setShown] = useState<Shown>()
  const early = useRef<KeyBuffer>(undefined)
  /** Those whose code is loaded. */
  const arrived = useRef(new Set<Overlay['kind']>())
  const close = useCallback(() => {
    early.current?.take()
    early.current = undefined
    setShown(undefined)
  }, [])
  useShortcut('Ctrl k', t('console.searchOrJump'), openPalette)
  useShortcut('/', t('console.search'), () => focusSearch() || openPalette())
  useShortcut('?', t('console.shortcuts'), openShortcuts)
  useShortcut('c', t('console.newTicket'), () => openNewTicket(), { when: can('tickets.reply') })
  useLayoutEffect(() => {
    const show = async (next: Overlay) => {
      if (!navigator.onLine && !arrived.current.has(next.kind)) {
        toast({ text: t('ui.failedOffline'), tone: 'bad' })
        return
      }
      early.current?.take()
      const keys = bufferKeys(close)
      early.current = keys
      try {
        await loadStrings('clients', 'account')
      } catch (error) {
        keys.take()
        throw error
      }
      if (early.current === keys) setShown({ ...next, early: keys })
    }
    const stop = overlay.watch(() => void show(overlay.get()!))
    return () => {
      stop()
      early.current?.take()
    }
  }, [close])
  return (
    <Suspense>
      {elementOf(shown, close)}
      {shown && <Arrived early={shown.early} onArrive={() => arrived.current.add(shown.kind)} />}
    </Suspense>
  )
}

/** Focuses the field that the page itself has for searching. */
function focusSearch(): boolean {
  const fields = [...document.querySelectorAll<HTMLInputElement>('main input[type="search"]')]
  const field = fields.find(field => field.checkVisibility())
  field?.focus()
  field?.select()
  return field !== undefined
}

/** Ends the key buffer once the lazily loaded dialog beside it is mounted. */
function Arrived({ early, onArrive }: { early: KeyBuffer; onArrive(): void }) {
  useEffect(() => {
    early.take()
    onArrive()
  })
  return null
}

function elementOf(shown: Shown | undefined, close: () => void): ReactNode {
  if (shown?.kind === 'palette') return <Palette early={shown.early} onClose={close} />
  if (shown?.kind === 'shortcuts') return <ShortcutsSheet onClose={close} />
  return shown && <NewTicketDialog client={shown.client} onClose={close} />
}
