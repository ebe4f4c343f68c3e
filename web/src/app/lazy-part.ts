import { lazy } from 'react'
import { t } from '../lib/strings.ts'
import { toast } from '../ui/toast.tsx'
import { queryClient } from './api-client.ts'
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

/** Resolves once somebody moves the pointer, touches or presses a key: what is for them only then does not compete with the page. */
export function whenUsed(): Promise<void> {
  return new Promise(resolve => {
    for (const type of ['pointermove', 'pointerdown', 'keydown'])
      addEventListener(type, () => resolve(), { once: true })
  })
}

/** Resolves once the page shows what it has asked for, so that what is beside it does not come before it. */
export async function whenLoaded(): Promise<void> {
  await nextFrame()
  await new Promise<void>(resolve => {
    const stop = queryClient.getQueryCache().subscribe(look)
    look()
    function look() {
      if (queryClient.isFetching() > 0) return
      stop()
      resolve()
    }
  })
  await nextFrame()
}

function nextFrame(): Promise<void> {
  return new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
}
