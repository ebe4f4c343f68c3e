import { useCallback, useEffect, useRef, useState } from 'react'
import {
  clearDraft,
  type Draft,
  emptyDraft,
  isEmptyDraft,
  loadDraft,
  saveDraft,
  thisTab,
  watchDrafts
} from '../lib/drafts.ts'

const saveAfterMilliseconds = 300

interface Shown {
  key: string
  draft: Draft
  /** `failed`: this browser keeps nothing, so that what is written lasts as long as the page. */
  state: 'loading' | 'empty' | 'unsaved' | 'saved' | 'failed'
  /** Another tab went on with it, and its text is shown here. */
  isFromOtherTab: boolean
}

/**
 * The draft with this key (`draftKey`): loaded, kept 300 ms after the last change and whenever it is left, and followed when another tab
 * goes on with it.
 */
export function useDraft(key: string) {
  const [shown, setShown] = useState<Shown>(() => loading(key))
  const current = useRef(shown)
  const timer = useRef<number>(undefined)
  // What is shown while another key is being loaded is not that of the former one.
  const ofKey = shown.key === key ? shown : loading(key)

  const show = useCallback((next: Shown) => {
    current.current = next
    setShown(next)
  }, [])

  const save = useCallback(async () => {
    window.clearTimeout(timer.current)
    timer.current = undefined
    const { key, draft, state } = current.current
    if (state !== 'unsaved') return
    const isKept = await saveDraft(key, draft).then(
      () => true,
      () => false
    )
    if (current.current.draft !== draft) return
    const kept = isEmptyDraft(draft) ? 'empty' : 'saved'
    show({ ...current.current, state: isKept ? kept : 'failed' })
  }, [show])

  useEffect(() => {
    let isOver = false
    async function read(isFromOtherTab: boolean) {
      const draft = await loadDraft(key).catch(() => undefined)
      if (isOver || (isFromOtherTab && timer.current !== undefined)) return
      // What was typed while it was being loaded is newer.
      if (!isFromOtherTab && current.current.key === key && current.current.state === 'unsaved') return
      show({ key, draft: draft ?? emptyDraft(), state: draft ? 'saved' : 'empty', isFromOtherTab })
    }
    current.current = loading(key)
    void read(false)
    const stop = watchDrafts(change => {
      if (change.key === key && change.writer !== thisTab) void read(true)
    })
    const onHidden = () => void (document.visibilityState === 'hidden' && save())
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      isOver = true
      stop()
      document.removeEventListener('visibilitychange', onHidden)
      void save()
    }
  }, [key, save, show])

  const change = useCallback(
    (changed: Partial<Draft>) => {
      const from = current.current.key === key ? current.current : loading(key)
      show({ key, draft: { ...from.draft, ...changed }, state: 'unsaved', isFromOtherTab: false })
      window.clearTimeout(timer.current)
      timer.current = window.setTimeout(save, saveAfterMilliseconds)
    },
    [key, save, show]
  )

  /** Forgets it: it was sent, or thrown away on purpose. */
  const clear = useCallback(async () => {
    window.clearTimeout(timer.current)
    timer.current = undefined
    show({ key, draft: emptyDraft(), state: 'empty', isFromOtherTab: false })
    await clearDraft(key).catch(() => {})
  }, [key, show])

  return { draft: ofKey.draft, state: ofKey.state, isFromOtherTab: ofKey.isFromOtherTab, change, clear, save }
}

export type OpenDraft = ReturnType<typeof useDraft>

function loading(key: string): Shown {
  return { key, draft: emptyDraft(), state: 'loading', isFromOtherTab: false }
}
