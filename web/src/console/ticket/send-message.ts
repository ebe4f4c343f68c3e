import { type BodyOf, DesklineError } from '@deskline/client'
import { post } from '../../app/api-client.ts'
import type { Draft } from '../../lib/drafts.ts'
import type { SendChoice } from '../preferences.ts'
import type { Message, Ticket } from './thread-types.ts'

export type MessageKind = 'reply' | 'note'

export interface SendRequest {
  kind: MessageKind
  ticket: Ticket
  draft: Draft
  status: SendChoice['status'] | undefined
  /** Answers whatever was written since. */
  isForced: boolean
  signal: AbortSignal
  onProgress(share: number): void
}

/** How a send ended that did not succeed. */
export type SendFailure =
  /** Others have written since: these messages. */
  | { type: 'stopped'; messages: Message[]; lastMessageId: number }
  /** Somebody changed the ticket. */
  | { type: 'changed' }
  /** It had arrived before, with the words that stood there then. */
  | { type: 'arrived' }
  | { type: 'refused'; error: unknown }

/** Sends a draft. However often it is tried, it arrives once: the key stays that of the draft. */
export async function sendMessage(sending: SendRequest): Promise<void> {
  const { draft, signal, onProgress } = sending
  const { files } = draft
  const options = {
    idempotencyKey: draft.sendKey,
    signal,
    // The author waits at the page: a failure is shown soon, and the author decides whether to send again.
    tries: 1,
    ...(files.length > 0 && { files, onProgress: shareOf(onProgress) })
  }
  if (sending.kind === 'note')
    await post('/api/admin/tickets/note', { id: sending.ticket.id, note: draft.text }, options)
  else await post('/api/admin/tickets/reply', replyOf(sending), options)
}

export function sendFailureOf(error: unknown): SendFailure {
  if (!(error instanceof DesklineError)) return { type: 'refused', error }
  if (error.reason === 'new_messages') {
    const { messages, last_message_id } = error.data as { messages: Message[]; last_message_id: number }
    return { type: 'stopped', messages, lastMessageId: last_message_id }
  }
  if (error.reason === 'version_conflict') return { type: 'changed' }
  // The key has the answer of what was sent first: the connection broke only after it had arrived.
  if (error.reason === 'idempotency_key_reused') return { type: 'arrived' }
  return { type: 'refused', error }
}

function replyOf({ ticket, draft, status, isForced }: SendRequest): BodyOf<'/api/admin/tickets/reply'> {
  return {
    id: ticket.id,
    message: draft.text,
    // Answered is what a reply makes of a ticket by itself; to say so needs no more rights.
    ...(status && status !== 'Answered' ? { status } : {}),
    ...(draft.seen === undefined ? {} : { last_seen_message_id: draft.seen }),
    ...(isForced ? { force: 1 as const } : { expected_version: ticket.version })
  }
}

function shareOf(onProgress: (share: number) => void) {
  return ({ loaded, total }: { loaded: number; total: number }) => onProgress(total > 0 ? loaded / total : 0)
}
