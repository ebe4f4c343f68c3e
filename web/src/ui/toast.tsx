import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { createStore, useStore } from '../lib/store.ts'
import { t } from '../lib/strings.ts'
import './toast.css'

export interface ToastContent {
  text: string
  undo?: (() => void) | undefined
  /** In place of undo: "Show it". */
  action?: { label: string; onClick: () => void } | undefined
  tone?: 'plain' | 'bad'
}

const shown = createStore<(ToastContent & { id: number }) | undefined>(undefined)
let count = 0

/** Shows one line at the bottom of the page for 8 s; a newer one replaces it. Do not use it for errors that need a decision. */
export function toast(content: ToastContent): void {
  shown.set({ ...content, id: ++count })
}

/** Runs the undo of the visible toast. Returns whether there was one. */
export function undoLast(): boolean {
  const undo = shown.get()?.undo
  if (!undo) return false
  shown.set(undefined)
  undo()
  return true
}

/** Hides the toast, for instance because the ticket has been changed again and can no longer be undone. */
export function dismissToast(): void {
  shown.set(undefined)
}

/** The region in which toasts appear; render it once per page. What lies in it stays below them, and is not read by itself. */
export function Toasts({ children }: { children?: ReactNode }) {
  const content = useStore(shown)
  return (
    <div className="toasts">
      <div role="status">{content && <Toast key={content.id} {...content} />}</div>
      {children}
    </div>
  )
}

function Toast({ text, undo, action, tone }: ToastContent) {
  const [isHeld, setIsHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(dismissToast, 8000)
    return () => clearTimeout(timer)
  }, [isHeld])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only stays for as long as it is looked at.
    <div
      className="toast"
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      {tone === 'bad' && <TriangleAlert size={16} aria-hidden />}
      <span className="words">{text}</span>
      {action && (
        <button
          type="button"
          onClick={() => {
            dismissToast()
            action.onClick()
          }}
        >
          {action.label}
        </button>
      )}
      {undo && (
        <button type="button" onClick={undoLast} data-tip={t('ui.undo')} data-tip-keys="Z">
          {t('ui.undo')}
        </button>
      )}
    </div>
  )
}
