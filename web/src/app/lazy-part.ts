import { lazy } from 'react'
import { t } from '../lib/strings.ts'
import { toast } from '../ui/toast.tsx'
import { whenOnline } from './connection.ts'

/**
 * A part of a page whose code is loaded when it is first shown, offline once the browser is online again. A part that cannot be loaded is
 * missing: React would remove the whole page with it, and what somebody writes there.
 */
export const lazyPart: typeof lazy = load =>
  lazy(async () => {
    await whenOnline()
    return await load().catch(async () => {
      // Browsers do not load a module again that failed once.
      const action = { label: t('ui.reload'), onClick: () => location.reload() }
      toast({ text: t('ui.notLoadedTitle'), tone: 'bad', action })
      return await new Promise<never>(() => {})
    })
  })
