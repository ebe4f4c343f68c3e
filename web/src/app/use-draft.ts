import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  clearDraft,
  type Draft,
  emptyDraft,
  isEmptyDraft,
  loadDraft,
  restoring,
  saveDraft,
  saveTyped,
  thisTab,
  typedInto,
  watchDrafts
} from '../lib/drafts.ts'

const saveAfterMilliseconds = 300

interface Shown {
  key: string
  draft: Draft
  /** `failed`: this browser cannot store drafts, so the text is lost with the page. */
  state: 'loading' | 'empty' | 'unsaved' | 'saved' | 'failed'
  /** Another tab has changed the draft, and its text is shown here. */
  isFromOtherTab: boolean
  /** This browser had kept nothing of it: all of it was typed here since. */
  isNew: boolean
}

/** The draft with this key (`draftKey`). It is saved 300 ms after the last change and when the page is left, and follows changes in other tabs. */
export function useDraft(key: string) {
  const [shown, setShown] = useState<Shown>(() => loading(key))
  const current = useRef(shown)
  const timer = useRef<number>(undefined)
  const isDirty = useRef(false)
  // While another key is being loaded, the draft of the former key is not shown.
  const ofKey = shown.key === key ? shown : loading(key)

  const show = useCallback((next: Shown) => {
    current.current = next
    setShown(next)
  }, [])

  const save = useCallback(async () => {
    window.clearTimeout(timer.current)
    timer.current = undefined
    const { key, draft } = current.current
    if (!isDirty.current) return
    isDirty.current = false
    const isRead = current.current.state !== 'loading'
    const isKept = await (isRead ? saveDraft(key, draft) : saveTyped(key, draft)).then(
      () => true,
      () => false
    )
    if (current.current.draft !== draft) return
    const kept = isEmptyDraft(draft) ? 'empty' : 'saved'
    show({ ...current.current, state: isKept ? kept : 'failed' })
  }, [show])

  // Before the browser hands over a key: what was typed before an effect after the paint would be taken for what that has not loaded yet, and lost.
  useLayoutEffect(() => {
    let isOver = false
    async function read(isFromOtherTab: boolean) {
      const draft = await loadDraft(key).catch(() => undefined)
      if (isOver || (isFromOtherTab && timer.current !== undefined)) return
      const typed = current.current.state === 'loading' && isDirty.current ? current.current.draft : undefined
      const isNew = !draft
      const next: Shown = typed
        ? { key, draft: typedInto(draft, typed), state: 'unsaved', isFromOtherTab: false, isNew }
        : { key, draft: draft ?? emptyDraft(), state: draft ? 'saved' : 'empty', isFromOtherTab, isNew }
      // At once: a key between the draft and its field would write the former text again.
      flushSync(() => show(next))
      if (typed) timer.current = window.setTimeout(save, saveAfterMilliseconds)
    }
    isDirty.current = false
    current.current = loading(key)
    void read(false)
    const stop = watchDrafts(change => {
      if (change.key !== key) return
      if (change.writer === restoring) {
        isDirty.current = false
        show(loading(key))
        void read(false)
      } else if (change.writer !== thisTab) void read(true)
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
      if (current.current.key !== key) return
      const from = current.current
      isDirty.current = true
      // What is typed before the draft is read is put into it then.
      const state = from.state === 'loading' ? 'loading' : 'unsaved'
      show({ ...from, draft: { ...from.draft, ...changed, savedAt: Date.now() }, state, isFromOtherTab: false })
      if (state === 'loading') return
      window.clearTimeout(timer.current)
      timer.current = window.setTimeout(save, saveAfterMilliseconds)
    },
    [key, save, show]
  )

  /** Stores what is no text of its writer, with the next change or soon after. */
  const note = useCallback(
    (noted: Partial<Draft>) => {
      const from = current.current
      if (from.key !== key) return
      show({ ...from, draft: { ...from.draft, ...noted } })
      if (from.state === 'loading' || isEmptyDraft(from.draft)) return
      isDirty.current = true
      timer.current ??= window.setTimeout(save, saveAfterMilliseconds)
    },
    [key, save, show]
  )
  /** The position of the caret. */
  const move = useCallback((caret: Draft['caret']) => note({ caret }), [note])
  /** What the service has of it. */
  const keep = useCallback((kept: Draft['kept']) => note({ kept }), [note])

  /** Deletes the draft, because it was sent or discarded. */
  const clear = useCallback(async () => {
    // If another draft is open by the time this one is sent, that one is left alone.
    if (current.current.key === key) {
      window.clearTimeout(timer.current)
      timer.current = undefined
      isDirty.current = false
      show({ key, draft: emptyDraft(), state: 'empty', isFromOtherTab: false, isNew: true })
    }
    await clearDraft(key).catch(() => {})
  }, [key, show])

  return {
    draft: ofKey.draft,
    state: ofKey.state,
    isFromOtherTab: ofKey.isFromOtherTab,
    isNew: ofKey.isNew,
    change,
    move,
    keep,
    clear,
    save
  }
}

export type OpenDraft = ReturnType<typeof useDraft>

function loading(key: string): Shown {
  return { key, draft: emptyDraft(), state: 'loading', isFromOtherTab: false, isNew: true }
}
