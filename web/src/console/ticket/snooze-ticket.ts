import { post } from '../../app/api-client.ts'
import { failureText } from '../../app/failures.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import { t } from '../../lib/strings.ts'
import { comingTimeInText } from '../../lib/times.ts'
import { toast } from '../../ui/toast.tsx'
import type { SnoozeChoice } from '../snooze/snooze-choice.ts'
import type { Ticket } from './thread-types.ts'
import { reloadDetail, showTicket } from './ticket-cache.ts'
import { pendingChangesDone, undoLastChange } from './use-ticket-change.ts'

/** Snoozes a ticket. The toast says until when, and undoes it. Resolves to whether it succeeded. */
export async function snoozeTicket(ticket: Ticket, choice: SnoozeChoice): Promise<boolean> {
  return await changeSnooze(ticket, async () => {
    const { version, snooze } = await post('/api/admin/tickets/snooze', { id: ticket.id, ...choice })
    return { changed: { version, snooze }, text: snoozedText({ ...ticket, snooze }) }
  })
}

/** Ends the snooze of a ticket. */
export async function wakeTicket(ticket: Ticket): Promise<boolean> {
  return await changeSnooze(ticket, async () => {
    const { version, snooze } = await post('/api/admin/tickets/unsnooze', { id: ticket.id })
    return { changed: { version, snooze }, text: t('thread.woken') }
  })
}

/** "Snoozed until Tue 24 Nov, 09:00", "Snoozed until Katharina writes", "Snoozed until a third party or Katharina answers". */
export function snoozedText({ snooze, client }: Pick<Ticket, 'snooze' | 'client'>): string {
  if (!snooze?.until && snooze?.kind === 'third_party')
    return t('thread.snoozedUntilAnswer', { name: client.first_name })
  if (!snooze?.until) return t('thread.snoozedUntilReply', { name: client.first_name })
  return t('thread.snoozedUntil', { until: comingTimeInText(new Date(snooze.until)) })
}

async function changeSnooze(
  { ticket_number: number }: Ticket,
  work: () => Promise<{ changed: Partial<Ticket>; text: string }>
): Promise<boolean> {
  await pendingChangesDone(number)
  try {
    const { changed, text } = await work()
    showTicket({ ticket_number: number, ...changed })
    void reloadDetail(number)
    void reloadQueries('/api/admin/tickets/counts')
    toast({ text, undo: () => void undoLastChange(number) })
    return true
  } catch (error) {
    toast({ text: failureText(error), tone: 'bad' })
    return false
  }
}
