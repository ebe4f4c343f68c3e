import { DesklineError } from '@deskline/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import { currentMe } from '../../app/me.ts'
import { SendCancelled, sendWhenOnline } from '../../app/queued-sends.ts'
import type { OpenDraft } from '../../app/use-draft.ts'
import { type Draft, newSendKey } from '../../lib/drafts.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { instantOf } from '../../lib/times.ts'
import { announce } from '../../ui/announce.ts'
import { toast } from '../../ui/toast.tsx'
import type { SendChoice } from '../preferences.ts'
import { followReply } from '../waiting-replies.ts'
import { recipientsOf } from './chosen-recipients.ts'
import { recipientNames } from './recipient-names.ts'
import { type Held, type MessageKind, type SendFailure, sendFailureOf, sendMessage } from './send-message.ts'
import type { Detail, Message } from './thread-types.ts'
import { cachedDetail, reloadDetail } from './ticket-cache.ts'
import { pendingChangesDone } from './use-ticket-change.ts'

export type SendState =
  | { type: 'idle' }
  /** `share`: the upload progress from 0 to 1. */
  | { type: 'busy'; share: number }
  | SendFailure

interface Asked {
  number: string
  kind: MessageKind
  draft: OpenDraft
  /** Ends what is on its way to the service of the draft: it would be there anew after the reply was sent. */
  settle(): Promise<void>
  /** Called after it has arrived, with the choices of that time. */
  onSent(choice: SendChoice, kind: MessageKind, isHeld: boolean): void
}

const idle: SendState = { type: 'idle' }

/** Sends the draft of a ticket, one request at a time. A failure leaves text and files unchanged. */
export function useSend({ number, kind, draft, settle, onSent }: Asked) {
  const [state, setState] = useState<SendState>(idle)
  const running = useRef<AbortController>(undefined)
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])

  // The state of one send does not concern another text.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is about the ticket and the kind alone.
  useEffect(() => setState(idle), [number, kind])

  const attempt = useCallback(
    async (choice: SendChoice, { isForced = false, closesBlocked = false } = {}) => {
      const detail = cachedDetail(number)
      if (running.current || !detail) return
      const stop = new AbortController()
      running.current = stop
      setState({ type: 'busy', share: 0 })
      // The saved key makes a retry safe even if this attempt arrives and its response is lost, also after a reload.
      await draft.save()
      await settle()
      const onProgress = (share: number) => setState({ type: 'busy', share })
      const sending = { kind, draft: draft.draft, isForced, closesBlocked, signal: stop.signal, onProgress }
      const status = kind === 'reply' ? choice.status : undefined
      const arrived = async (held?: Held) => {
        if (held) {
          const { ticket } = detail
          const goesAt = instantOf(held.undoUntil).getTime()
          const names = recipientNames(detail, recipientsOf(draft.draft))
          const account = `staff:${currentMe()!.id}`
          await followReply({ ...held, ticketId: ticket.id, number, names, goesAt, account }, draft.draft)
        }
        await draft.clear()
        setState(idle)
        void reloadDetail(number)
        // If another ticket has been opened meanwhile, it stays open.
        if (isHere.current) onSent(choice, kind, held !== undefined)
        else if (!held) toast({ text: t('thread.sentMeanwhile', { number }) })
      }
      try {
        const label = t(kind === 'note' ? 'thread.noteWaits' : 'thread.replyWaits', { number })
        const held = await sendWhenOnline(label, () =>
          retryAfterUnrelatedChange(number, draft.draft.seen, ticket => sendMessage({ ...sending, ticket, status }))
        )
        await arrived(held)
      } catch (error) {
        if (stop.signal.aborted || error instanceof SendCancelled) return setState(idle)
        const failure = sendFailureOf(error)
        if (failure.type === 'arrived') draft.change({ sendKey: newSendKey() })
        const isLost = failure.type === 'refused' && isUnanswered(failure.error)
        const now = failure.type !== 'refused' || isLost ? await reloadDetail(number).catch(() => undefined) : undefined
        if (isLost && now && hasArrived(now, kind, draft.draft)) return await arrived()
        setState(failure)
        if (failure.type === 'refused') announce(t('thread.notSent'))
      } finally {
        running.current = undefined
      }
    },
    [number, kind, draft, settle, onSent]
  )

  return {
    state,
    send: attempt,
    cancel: useCallback(() => running.current?.abort(), []),
    dismiss: useCallback(() => setState(idle), []),
    /** A reply that waited came back, because these messages came meanwhile. */
    stop: useCallback((messages: Message[], lastMessageId: number) => {
      setState({ type: 'stopped', messages, lastMessageId })
    }, [])
  }
}

type Ticket = NonNullable<ReturnType<typeof cachedDetail>>['ticket']

/**
 * Retries after a version conflict, unless somebody has changed the status or the assignee. If the conflict was a new message, the service stops
 * the reply for that.
 */
async function retryAfterUnrelatedChange(
  number: string,
  seen: number | undefined,
  sendTo: (ticket: Ticket) => Promise<Held | undefined>
): Promise<Held | undefined> {
  await pendingChangesDone(number)
  const before = cachedDetail(number)!.ticket
  try {
    return await sendTo(before)
  } catch (error) {
    if (sendFailureOf(error).type !== 'changed') throw error
    const now = await reloadDetail(number)
    const hasNewMessages = seen !== undefined && (now?.last_message_id ?? 0) > seen
    const isSame = now?.ticket.status === before.status && now.ticket.assignee?.id === before.assignee?.id
    const last = now?.events.findLast(({ kind }) => kind === 'ticket.status_changed' || kind === 'ticket.assigned')
    const isMine = last?.actor_type === 'staff' && last.actor_id === currentMe()?.id
    if (!now || !(hasNewMessages || isSame || isMine)) throw error
    return await sendTo(now.ticket)
  }
}

/** There was no response, so it is unknown whether the message arrived. */
function isUnanswered(error: unknown): boolean {
  return error instanceof DesklineError && error.reason === 'network_error'
}

/** After a broken connection the thread is reloaded first, to see whether the message has arrived. */
function hasArrived({ messages, notes }: Detail, kind: MessageKind, { text, seen = 0 }: Draft): boolean {
  if (kind === 'note')
    return notes.some(({ author, note }) => author.id === currentMe()?.id && note.trim() === text.trim())
  const isMine = (message: Message) => message.sender_type !== 'customer' && nameOf(message) === currentMe()?.name
  return messages.some(message => message.id > seen && isMine(message) && message.message.trim() === text.trim())
}
