import { type BodyOf, DesklineError } from '@deskline/client'
import { post } from '../../app/api-client.ts'
import type { Draft } from '../../lib/drafts.ts'
import type { SendChoice } from '../preferences.ts'
import { type Blockers, blockersIn } from './blocked-ticket.tsx'
import { type ChosenMacro, macroOf, withMacro } from './chosen-macro.ts'
import { recipientsBody, recipientsOf } from './chosen-recipients.ts'
import type { Message, Ticket } from './thread-types.ts'
import { cachedDetail } from './ticket-cache.ts'

export type MessageKind = 'reply' | 'note'

export interface SendRequest {
  kind: MessageKind
  ticket: Ticket
  draft: Draft
  status: SendChoice['status'] | undefined
  /** Sends even if others have written since. */
  isForced: boolean
  /** Closes the ticket even if another one blocks it. */
  closesBlocked: boolean
  signal: AbortSignal
  onProgress(share: number): void
}

/** The reason why a send failed. */
export type SendFailure =
  /** Others have written these messages since. */
  | { type: 'stopped'; messages: Message[]; lastMessageId: number }
  /** Another ticket blocks this one, which the reply would have closed. */
  | { type: 'blocked'; blockers: Blockers }
  /** Fields are missing that closing needs. */
  | { type: 'fields' }
  /** Somebody changed the ticket. */
  | { type: 'changed' }
  /** An earlier attempt with the same key has arrived, with its text of that time. */
  | { type: 'arrived' }
  | { type: 'refused'; error: unknown }

/** A reply that waits: until when it can be taken back. */
export interface Held {
  messageId: number
  undoUntil: string
}

/**
 * Sends a draft. All attempts have the key of the draft, so it arrives once. Returns until when the reply can be taken back; undefined if it has
 * gone.
 */
export async function sendMessage(sending: SendRequest): Promise<Held | undefined> {
  const { draft, signal, onProgress } = sending
  const { files } = draft
  const macro = macroOf(draft)
  const options = {
    idempotencyKey: draft.sendKey,
    signal,
    // The author waits at the page: a failure is shown soon, and the author decides whether to send again.
    tries: 1,
    ...(files.length > 0 && { files, onProgress: shareOf(onProgress) })
  }
  if (sending.kind === 'note') {
    await post('/api/admin/tickets/note', { id: sending.ticket.id, note: draft.text, format: 'markdown' }, options)
    return
  }
  const { message_id, undo_until } = macro
    ? await post('/api/admin/macros/apply', macroBody(macro, sending), options)
    : await post('/api/admin/tickets/reply', replyOf(sending), options)
  return undo_until && message_id ? { messageId: message_id, undoUntil: undo_until } : undefined
}

export function sendFailureOf(error: unknown): SendFailure {
  if (!(error instanceof DesklineError)) return { type: 'refused', error }
  if (error.reason === 'new_messages') {
    const { messages, last_message_id } = error.data as { messages: Message[]; last_message_id: number }
    return { type: 'stopped', messages, lastMessageId: last_message_id }
  }
  if (error.reason === 'ticket_blocked') return { type: 'blocked', blockers: blockersIn(error) }
  if (error.reason === 'fields_required') return { type: 'fields' }
  if (error.reason === 'version_conflict') return { type: 'changed' }
  // The service has stored another text under this key: an earlier attempt arrived, and its response was lost.
  if (error.reason === 'idempotency_key_reused') return { type: 'arrived' }
  return { type: 'refused', error }
}

function replyOf({ ticket, draft, status, isForced, closesBlocked }: SendRequest): BodyOf<'/api/admin/tickets/reply'> {
  const signature = recipientsOf(draft)?.signature
  return {
    id: ticket.id,
    message: draft.text,
    format: 'markdown',
    undo: 1,
    ...recipientsBody(draft, cachedDetail(ticket.ticket_number)?.client_email.email ?? ticket.client.email),
    ...(signature ? { signature } : {}),
    // A reply sets the status to Answered by itself. To set it explicitly would need a permission.
    ...(status && status !== 'Answered' ? { status } : {}),
    ...(draft.seen === undefined ? {} : { last_seen_message_id: draft.seen }),
    ...(closesBlocked ? { force_close: 1 as const } : {}),
    ...(isForced ? { force: 1 as const } : { expected_version: ticket.version })
  }
}

/** The same reply with a macro, whose status counts if it sets one. */
function macroBody(macro: ChosenMacro, sending: SendRequest): BodyOf<'/api/admin/macros/apply'> {
  const { message, ...reply } = replyOf(sending)
  return { ...reply, ...withMacro(macro, sending.ticket, message) }
}

function shareOf(onProgress: (share: number) => void) {
  return ({ loaded, total }: { loaded: number; total: number }) => onProgress(total > 0 ? loaded / total : 0)
}
