import type { DataOf } from '@deskline/client'
import { post } from '../app/api-client.ts'
import { failureText, hasReason } from '../app/failures.ts'
import { reloadQueries } from '../app/reload-queries.ts'
import type { Draft } from '../lib/drafts.ts'
import { createStore } from '../lib/store.ts'
import { t } from '../lib/strings.ts'
import { announce } from '../ui/announce.ts'
import { toast } from '../ui/toast.tsx'
import type { WaitingReply } from './waiting.ts'

type Taken = DataOf<'/api/admin/tickets/conversations/undo'>['message']

/** What was written to a third party, as it comes back; files only in the browser in which they were chosen. */
export type Aside = Pick<Taken, 'message' | 'forwarding' | 'conversation_id'> & { files: File[] }

/** What was taken back, until its pane has it again. */
export const takenAsides = createStore<(Aside & { number: string }) | undefined>(undefined)

/** Takes a message to a third party back. `kept`: what this browser has of it. Returns whether that was possible. */
export async function takeBackAside(
  { messageId: side_message_id, ticketId: id, number }: WaitingReply,
  kept: () => Promise<Draft | undefined>
) {
  try {
    const { message } = await post('/api/admin/tickets/conversations/undo', { id, side_message_id })
    takenAsides.set({ ...message, number, files: (await kept())?.files ?? [] })
    return true
  } catch (error) {
    const isGone = hasReason(error, 'already_sent')
    toast({ text: isGone ? t('thread.alreadySent') : failureText(error), tone: 'bad' })
    return false
  } finally {
    reloadAsides()
  }
}

export async function sendAsideNow({ messageId: side_message_id, ticketId: id }: WaitingReply): Promise<void> {
  try {
    await post('/api/admin/tickets/conversations/send', { id, side_message_id })
    announce(t('thread.sent'))
  } catch (error) {
    // One that was stopped comes back, and why is told.
    if (!hasReason(error, 'side_message_stopped')) toast({ text: failureText(error), tone: 'bad' })
  }
  reloadAsides()
}

/** Whether its time is over and it has not gone. */
export async function isStoppedAside({ messageId, ticketId: id }: WaitingReply): Promise<boolean> {
  const { waiting } = await post('/api/admin/tickets/conversations/list', { id })
  return waiting.some(({ side_message_id, state }) => side_message_id === messageId && state === 'stopped')
}

/** One has gone, was stopped or was taken back. */
export function reloadAsides(): void {
  for (const path of ['list', 'detail'] as const) void reloadQueries(`/api/admin/tickets/conversations/${path}`)
}
