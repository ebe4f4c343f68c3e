import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { can } from '../../app/me.ts'
import { loadStrings, t } from '../../lib/strings.ts'
import { useShortcut } from '../../ui/shortcuts.ts'
import { onNewTicket, openNewTicket, type TicketClient } from '../clients/new-ticket.ts'
import { openPalette, openShortcuts } from '../shell/overlays.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const ShortcutsSheet = lazy(async () => ({ default: (await import('./shortcuts-sheet.tsx')).ShortcutsSheet }))
const NewTicketDialog = lazy(async () => ({
  default: (await import('../clients/new-ticket-dialog.tsx')).NewTicketDialog
}))

type Shown = { kind: 'palette' } | { kind: 'shortcuts' } | { kind: 'new-ticket'; client: TicketClient | undefined }

/** What opens over any page of the console, each loaded when it is first wanted: the palette, the sheet of shortcuts, a new ticket. */
export function Overlays() {
  const [shown, setShown] = useState<Shown>()
  const close = () => setShown(undefined)
  useShortcut('Ctrl k', t('console.searchOrJump'), openPalette)
  useShortcut('?', t('console.shortcuts'), openShortcuts)
  useShortcut('c', t('console.newTicket'), () => openNewTicket(), { when: can('tickets.reply') })
  useEffect(() => {
    const show = (next: Shown) => void Promise.resolve(loadStrings('clients', 'account')).then(() => setShown(next))
    const palette = () => show({ kind: 'palette' })
    const shortcuts = () => show({ kind: 'shortcuts' })
    addEventListener('deskline:palette', palette)
    addEventListener('deskline:shortcuts', shortcuts)
    const stop = onNewTicket(client => show({ kind: 'new-ticket', client }))
    return () => {
      removeEventListener('deskline:palette', palette)
      removeEventListener('deskline:shortcuts', shortcuts)
      stop()
    }
  }, [])
  return <Suspense>{overlay(shown, close)}</Suspense>
}

function overlay(shown: Shown | undefined, close: () => void): ReactNode {
  if (shown?.kind === 'palette') return <Palette onClose={close} />
  if (shown?.kind === 'shortcuts') return <ShortcutsSheet onClose={close} />
  return shown && <NewTicketDialog client={shown.client} onClose={close} />
}
