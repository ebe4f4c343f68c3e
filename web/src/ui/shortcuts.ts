import { useLayoutEffect, useRef } from 'react'
import { createKeybindingsHandler } from 'tinykeys'
import { localSetting, setLocalSetting, useLocalSetting } from '../lib/local-setting.ts'
import { createStore, useStore } from '../lib/store.ts'

/** In the order of the sheet. */
export type ShortcutGroup = 'everywhere' | 'list' | 'ticket' | 'writing' | 'goTo'

export interface Shortcut {
  /** The keys: `r`, `Shift x`, `Ctrl k` (⌘ on a Mac), or `g m` one after the other. */
  key: string
  label: string
  group: ShortcutGroup
  /** Left out where the field that has the focus handles the key itself. */
  handler?: (event: KeyboardEvent) => void
}

interface Options {
  /** It is there, and in the sheet, only while this is true. */
  when?: boolean
  group?: ShortcutGroup
}

const storageKey = 'deskline:single-keys'
const registered = createStore<Shortcut[]>([])
let handle: ((event: KeyboardEvent) => void) | undefined

addEventListener('keydown', event => {
  // Pages register many at once: what they come to is looked at with the first key.
  handle ??= handlerOf(registered.get())
  handle(event)
})

/**
 * Registers a shortcut, which the sheet and the menus also show. While a field has the focus, only those with Ctrl or ⌘ and Esc work. Single keys
 * can be switched off.
 */
export function useShortcut(
  key: string,
  label: string,
  handler: (event: KeyboardEvent) => void,
  options: Options = {}
): void {
  const { when = true, group = 'everywhere' } = options
  const latest = useRef(handler)
  latest.current = handler
  // Before the paint: who sees the page may press the key.
  useLayoutEffect(() => {
    if (!when) return
    return register({ key, label, group, handler: event => latest.current(event) })
  }, [key, label, group, when])
}

/** A key that a field or a list handles itself while it has the focus: the sheet names it. */
export function useFieldShortcut(key: string, label: string, group: ShortcutGroup): void {
  useLayoutEffect(() => register({ key, label, group }), [key, label, group])
}

/** Those that are there now, for the sheet. */
export function useShortcuts(): Shortcut[] {
  return useStore(registered)
}

export function useSingleKeys(): boolean {
  return useLocalSetting(storageKey) !== 'off'
}

/** Kept in this browser. */
export function setSingleKeys(isOn: boolean): void {
  setLocalSetting(storageKey, isOn ? 'on' : 'off')
}

/** `Ctrl Enter` for people, from `Ctrl Enter`; kept as it is, letters large: `Shift X`. */
export function shownShortcut(key: string): string {
  return key
    .split(' ')
    .map(part => (part.length === 1 ? part.toUpperCase() : part))
    .join(' ')
}

function register(shortcut: Shortcut): () => void {
  setRegistered([...registered.get(), shortcut])
  return () => setRegistered(registered.get().filter(other => other !== shortcut))
}

function singleKeys(): boolean {
  return localSetting(storageKey) !== 'off'
}

function setRegistered(shortcuts: Shortcut[]): void {
  handle = undefined
  registered.set(shortcuts)
}

/** The last registered one wins: a dialog's before the page's. */
function handlerOf(shortcuts: Shortcut[]): (event: KeyboardEvent) => void {
  const bindings: Record<string, (event: KeyboardEvent) => void> = {}
  for (const { key, handler } of shortcuts) {
    if (!handler) continue
    const isSingle = !/\b(Ctrl|Escape)\b/.test(key)
    if (isSingle && !singleKeys()) continue
    bindings[bindingOf(key)] = event => {
      if (isSingle && (isTyping(event) || document.querySelector('dialog:modal'))) return
      // Esc first closes what lies on top.
      if (key === 'Escape' && document.querySelector('[popover]:popover-open, dialog:modal')) return
      event.preventDefault()
      handler(event)
    }
  }
  return createKeybindingsHandler(bindings, { ignore: event => event.defaultPrevented || event.isComposing })
}

/** `Ctrl k` → `$mod+k`, `Shift x` → `Shift+x`, `g m` stays a sequence. `?` may need Shift to be typed, or not. */
function bindingOf(key: string): string {
  const joined = key.replace(/\bCtrl /g, '$mod+').replace(/\bShift /g, 'Shift+')
  return /^[^a-z0-9\s]$/i.test(joined) ? `[Shift]+${joined === '?' ? '(\\?)' : joined}` : joined
}

function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true
  const target = event.composedPath()[0]
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.matches('textarea, select')) return true
  // In an open menu letters lead to its rows.
  if (target.closest('[role="menu"], [role="listbox"]')) return true
  return target.matches('input:not([type="checkbox"], [type="button"], [type="submit"])')
}
