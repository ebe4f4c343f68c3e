import { type DataOf, DesklineError } from '@deskline/client'
import { post } from '../app/api-client.ts'
import { failureText } from '../app/failures.ts'
import { reloadQueries } from '../app/reload-queries.ts'
import { createStore } from '../lib/store.ts'
import { t } from '../lib/strings.ts'
import { announce } from '../ui/announce.ts'
import { toast } from '../ui/toast.tsx'
import type { WaitingReply } from './waiting.ts'

type Taken = DataOf<'/api/admin/tickets/conversations/undo'>['message']

/** What was written to a third party, as it comes back; files only in the tab in which they were chosen. */
export type Aside = Pick<Taken, 'message' | 'forwarding' | 'conversation_id'> & { files: File[] }

/** What was taken back, until its pane has it again. */
export const takenAsides = createStore<(Aside & { number: string }) | undefined>(undefined)

const filesOf = new Map<number, File[]>()

/** Keeps the files of a message that waits. */
export function keepFiles(sideMessageId: number, files: File[]): void {
  filesOf.set(sideMessageId, files)
}

/** Takes a message to a third party back. Returns whether that was possible. */
export async function takeBackAside({ messageId: side_message_id, ticketId: id, number }: WaitingReply) {
  try {
    const { message } = await post('/api/admin/tickets/conversations/undo', { id, side_message_id })
    takenAsides.set({ ...message, number, files: filesOf.get(side_message_id) ?? [] })
    return true
  } catch (error) {
    const isGone = error instanceof DesklineError && error.reason === 'already_sent'
    toast({ text: isGone ? t('thread.alreadySent') : failureText(error), tone: 'bad' })
    return false
  } finally {
    asideIsOver(side_message_id)
  }
}

export async function sendAsideNow({ messageId: side_message_id, ticketId: id }: WaitingReply): Promise<void> {
  try {
    await post('/api/admin/tickets/conversations/send', { id, side_message_id })
    announce(t('thread.sent'))
  } catch (error) {
    toast({ text: failureText(error), tone: 'bad' })
  }
  asideIsOver(side_message_id)
}

/** It has gone, was stopped or was taken back. */
export function asideIsOver(sideMessageId: number): void {
  // One that was stopped comes back with its files.
  setTimeout(() => filesOf.delete(sideMessageId), 10_000)
  for (const path of ['list', 'detail'] as const) void reloadQueries(`/api/admin/tickets/conversations/${path}`)
}
