import { DesklineError } from '@deskline/client'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { post } from '../../app/api-client.ts'
import { useMe } from '../../app/me.ts'
import type { OpenDraft } from '../../app/use-draft.ts'
import { type Draft, isEmptyDraft, typedInto } from '../../lib/drafts.ts'
import { instantOf } from '../../lib/times.ts'
import { recipientFields } from '../waiting-replies.ts'
import { isSame, recipientsBody } from './chosen-recipients.ts'
import type { Detail } from './thread-types.ts'

const saveAfterMilliseconds = 2_000

/** A text of the same draft that the writer's other machine has kept, or that this one had. */
interface OtherText {
  text: string
  at: string
}

/** What the service keeps of a reply that is begun here. */
export interface KeptDraft {
  /** Whether the service has all of it. */
  isKept: boolean
  /** When the writer's other machine kept what is shown now. */
  cameAt: string | undefined
  /** The text of the other machine, if both have changed it. */
  other: OtherText | undefined
  /** Shows the other text in place of this one, which is the other one then. */
  swap(): void
  /** Ends what is on its way to the service: the reply is about to be sent. */
  settle(): Promise<void>
}

/**
 * Keeps the draft of a reply at the service as well: 2 s after the last change and when the ticket is left, so that its writer goes on with it on
 * another machine. When the ticket is opened, or its detail tells of a newer one, what the other machine has kept is taken up. If both have changed it,
 * the newer text is shown, and the other one on demand. Files stay in this browser.
 */
export function useKeptDraft(detail: Detail, draft: OpenDraft, isReply: boolean): KeptDraft {
  const { id: me } = useMe()
  const ticketId = detail.ticket.id
  const latest = useRef({ detail, draft })
  const timer = useRef<number>(undefined)
  const running = useRef<Promise<void>>(Promise.resolve())
  const hasLooked = useRef(false)
  /** The text whose reply was sent, or that was discarded, on another machine: only what is changed since is a new draft. */
  const gone = useRef<string>(undefined)
  const [came, setCame] = useState<OtherText>()
  const [other, setOther] = useState<OtherText>()
  useLayoutEffect(() => {
    if (isReply) latest.current = { detail, draft }
  })

  /** One request after the other. What fails stays on this device, until the next change. */
  const inTurn = useCallback((step: () => Promise<void>) => {
    running.current = running.current.then(step).catch(() => {})
    return running.current
  }, [])

  const save = useCallback(() => {
    window.clearTimeout(timer.current)
    timer.current = undefined
    return inTurn(async () => {
      const { detail, draft } = latest.current
      if (!hasLooked.current || !isChanged(draft.draft) || draft.draft.text === gone.current) return
      try {
        draft.keep(await keptAtService(ticketId, detail.client_email.email, draft.draft))
      } catch (error) {
        if (!(error instanceof DesklineError)) throw error
        if (error.reason === 'draft_gone') {
          gone.current = draft.draft.text
          return draft.keep(undefined)
        }
        if (error.reason !== 'version_conflict') throw error
        const theirs = await draftAtService(ticketId)
        if (theirs && theirs.message !== draft.draft.text) setOther({ text: theirs.message, at: theirs.updated_at })
        draft.keep(theirs ? markOf(theirs, theirs.message) : undefined)
      }
    })
  }, [ticketId, inTurn])

  const look = useCallback(
    () =>
      inTurn(async () => {
        const isThere = latest.current.detail.drafts.some(({ by }) => by.id === me)
        const theirs = isThere || latest.current.draft.draft.kept ? await draftAtService(ticketId) : null
        // As it is now: somebody may have typed meanwhile.
        const { detail, draft } = latest.current
        const { draft: here } = draft
        const isTypedMeanwhile = !hasLooked.current && draft.isNew && here.text.trim() !== ''
        hasLooked.current = true
        if (!theirs) {
          // Its reply was sent from another machine.
          if (here.kept && !isChanged(here) && here.files.length === 0) await draft.clear()
          return
        }
        if (here.kept?.version === theirs.version && here.kept.at === theirs.updated_at) return
        if (here.text.trim() === theirs.message.trim()) return draft.keep(markOf(theirs, here.text))
        const isOnlyThere = here.text.trim() === '' || isTypedMeanwhile || !isChanged(here)
        const isNewer = instantOf(theirs.updated_at).getTime() > here.savedAt
        if (!isOnlyThere) {
          const older = { text: here.text, at: new Date(here.savedAt).toISOString() }
          setOther(isNewer ? older : { text: theirs.message, at: theirs.updated_at })
          if (!isNewer) return draft.keep(markOf(theirs, theirs.message))
        }
        const came: Draft = { ...here, text: theirs.message, caret: [theirs.message.length, theirs.message.length] }
        const now = isTypedMeanwhile ? typedInto(came, here) : came
        setCame({ text: now.text, at: theirs.updated_at })
        const client = detail.client_email.email
        const toClient = theirs.to === null || theirs.to.some(address => isSame(address, client))
        const to = (theirs.to ?? []).filter(address => !isSame(address, client))
        const fields = { ...here.fields, recipients: '', ...recipientFields({ ...theirs, to, toClient }) }
        // At once: a key between the draft and its field would write the former text again.
        flushSync(() =>
          draft.change({
            text: now.text,
            fields,
            caret: now.caret,
            seen: newestBefore(detail, theirs.updated_at),
            kept: { ...markOf(theirs, theirs.message), recipients: fields.recipients }
          })
        )
      }),
    [ticketId, me, inTurn]
  )

  const isLoading = draft.state === 'loading'
  const ownAt = detail.drafts.find(({ by }) => by.id === me)?.updated_at
  useEffect(() => {
    if (isReply && !isLoading && (!hasLooked.current || ownAt !== latest.current.draft.draft.kept?.at)) void look()
  }, [isReply, isLoading, ownAt, look])

  const isDirty = isReply && !isLoading && isChanged(draft.draft)
  const { text, fields, kept } = draft.draft
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change begins the two seconds anew.
  useEffect(() => {
    if (!isDirty || draft.isFromOtherTab) return
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => void save(), saveAfterMilliseconds)
  }, [isDirty, text, fields.recipients, kept, draft.isFromOtherTab, save])

  useEffect(() => {
    const onLeave = () => {
      if (timer.current !== undefined) void save()
    }
    const onHidden = () => void (document.visibilityState === 'hidden' && onLeave())
    document.addEventListener('visibilitychange', onHidden)
    addEventListener('online', onLeave)
    return () => {
      document.removeEventListener('visibilitychange', onHidden)
      removeEventListener('online', onLeave)
      onLeave()
    }
  }, [save])

  return {
    isKept: isReply && kept !== undefined && !isDirty,
    cameAt: came && came.text === text ? came.at : undefined,
    other: isReply ? other : undefined,
    swap() {
      if (!other) return
      draft.change({ text: other.text, caret: [other.text.length, other.text.length] })
      setOther({ text, at: new Date().toISOString() })
    },
    settle: useCallback(() => {
      window.clearTimeout(timer.current)
      timer.current = undefined
      return running.current
    }, [])
  }
}

/** Whether the service does not have it as it is now. */
function isChanged({ text, fields, kept }: Draft): boolean {
  const recipients = fields.recipients ?? ''
  if (!kept) return text.trim() !== '' || recipients !== ''
  return text !== kept.text || recipients !== kept.recipients
}

/** Stores or, if it is empty now, deletes it. Throws `DesklineError`. */
async function keptAtService(id: number, client: string, draft: Draft): Promise<Draft['kept']> {
  const { text, fields, kept } = draft
  const version = kept ? { expected_version: kept.version } : {}
  if (isEmptyDraft({ ...draft, files: [] })) {
    await post('/api/admin/tickets/draft/delete', { id, ...version })
    return undefined
  }
  const body = { id, message: text, format: 'markdown' as const, ...recipientsBody(draft, client), ...version }
  const { draft: stored } = await post('/api/admin/tickets/draft/save', body)
  return { ...markOf(stored, text), recipients: fields.recipients ?? '' }
}

async function draftAtService(id: number) {
  return (await post('/api/admin/tickets/draft', { id })).draft
}

function markOf({ version, updated_at: at }: { version: number; updated_at: string }, text: string) {
  return { version, at, text, recipients: '' }
}

/** The newest message when the other machine kept its text: whoever has written since stops the reply. */
function newestBefore({ messages }: Detail, at: string): number | undefined {
  const until = instantOf(at).getTime()
  return messages.findLast(({ created_at }) => instantOf(created_at).getTime() <= until)?.id
}
