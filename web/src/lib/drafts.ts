import { createStore, get, keys, update } from 'idb-keyval'

/** A text that is not sent yet. It is kept in this browser; of a reply of staff the service keeps the text as well. */
export interface Draft {
  text: string
  files: File[]
  /** Other fields of the form, by name. */
  fields: Record<string, string>
  /** The selection of the text field: from, to. */
  caret: [number, number]
  /** The newest message when the writing began. */
  seen: number | undefined
  /** What the service has of it, if it keeps drafts: the version, and what stood in it. */
  kept?: { version: number; at: string; text: string; recipients: string } | undefined
  /** The idempotency key of every attempt to send it, so that it arrives once. */
  sendKey: string
  savedAt: number
  /** The tab that wrote it. */
  writer: string
}

/** The key of a draft: its account (`staff:2`), the id of its ticket or `new`, and the kind of text. */
export function draftKey(account: string, about: number | string, kind: string): string {
  return `${account}/${about}/${kind}`
}

/** This tab. */
export const thisTab = newSendKey()
/** In place of a tab: a reply was taken back, and each tab shows it as if it had never gone. */
export const restoring = 'restored'

export function emptyDraft(): Draft {
  return {
    text: '',
    files: [],
    fields: {},
    caret: [0, 0],
    seen: undefined,
    sendKey: newSendKey(),
    savedAt: 0,
    writer: thisTab
  }
}

export function isEmptyDraft({ text, files, fields }: Draft): boolean {
  return text.trim() === '' && files.length === 0 && Object.values(fields).every(value => value.trim() === '')
}

/** What was typed before the draft was there, where it would stand had the draft been there: at its caret. */
export function typedInto(draft: Draft | undefined, typed: Draft): Draft {
  if (!draft) return typed
  const [from, to] = draft.caret
  const text = draft.text.slice(0, from) + typed.text + draft.text.slice(to)
  const caret: Draft['caret'] = [from + typed.caret[0], from + typed.caret[1]]
  return {
    ...draft,
    text,
    caret,
    savedAt: typed.savedAt,
    files: [...draft.files, ...typed.files],
    fields: { ...draft.fields, ...typed.fields }
  }
}

/** `randomUUID` is missing on pages without TLS. */
export function newSendKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

export async function loadDraft(key: string): Promise<Draft | undefined> {
  const kept = await get<Draft>(key, store())
  // Older drafts lack newer fields.
  return kept && { ...emptyDraft(), ...kept }
}

/** Saves the draft, unless another tab has saved a newer one, and notifies all tabs. An empty draft is deleted. */
export async function saveDraft(key: string, draft: Draft): Promise<void> {
  const kept = { ...draft, savedAt: Date.now(), writer: thisTab }
  await replace(key, isEmptyDraft(draft) ? undefined : kept)
}

/** Saves what was typed before the draft was read, because its page is left. */
export async function saveTyped(key: string, typed: Draft): Promise<void> {
  const whole = (kept: Draft | undefined) => ({ ...typedInto(kept, typed), savedAt: Date.now(), writer: thisTab })
  if (isEmptyDraft(typed)) return
  await update<Draft>(key, kept => whole(kept && { ...emptyDraft(), ...kept }), store())
  tell(key, thisTab)
}

/** Puts a draft back that was sent and taken back. What has been begun in its place since stands below it. */
export async function restoreDraft(key: string, draft: Draft): Promise<void> {
  const begun = await loadDraft(key)
  const texts = [draft.text, begun?.text ?? ''].filter(text => text.trim() !== '')
  const files = [...draft.files, ...(begun?.files ?? [])]
  // Another attempt is another reply: the service knows the former key.
  const whole = { ...draft, text: texts.join('\n\n'), files, sendKey: newSendKey(), savedAt: Date.now() }
  await replace(key, whole, restoring)
}

/** Deletes a draft that was sent, or discarded on purpose. */
export async function clearDraft(key: string): Promise<void> {
  await replace(key, undefined)
}

/** The keys of an account's drafts. Lists mark these tickets. */
export async function draftsOf(account: string): Promise<string[]> {
  const all = await keys<string>(store())
  return all.filter(key => key.startsWith(`${account}/`))
}

export interface DraftChange {
  key: string
  /** The tab that changed it. */
  writer: string
}

/** Notifies of each draft that is saved or deleted, in this tab and others. Returns the function that stops it. */
export function watchDrafts(listener: (change: DraftChange) => void): () => void {
  const heard = ({ data }: MessageEvent<DraftChange>) => listener(data)
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', heard)
  return () => channel.close()
}

const channelName = 'deskline:drafts'
let ownStore: ReturnType<typeof createStore> | undefined
let ownChannel: BroadcastChannel | undefined

function store() {
  ownStore ??= createStore('deskline-drafts', 'drafts')
  return ownStore
}

async function replace(key: string, draft: Draft | undefined, writer = thisTab): Promise<void> {
  const inStore = store()
  if (draft) await update<Draft>(key, () => draft, inStore)
  else await inStore('readwrite', drafts => void drafts.delete(key))
  tell(key, writer)
}

function tell(key: string, writer: string): void {
  ownChannel ??= new BroadcastChannel(channelName)
  ownChannel.postMessage({ key, writer } satisfies DraftChange)
}
