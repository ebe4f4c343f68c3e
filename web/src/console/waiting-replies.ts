import type { DataOf } from '@deskline/client'
import { post, queryClient } from '../app/api-client.ts'
import { queryKeyOf } from '../app/api-queries.ts'
import { failureText, hasReason } from '../app/failures.ts'
import { clearDraft, type Draft, draftKey, emptyDraft, loadDraft, restoreDraft, saveDraft } from '../lib/drafts.ts'
import { t } from '../lib/strings.ts'
import { announce } from '../ui/announce.ts'
import { toast } from '../ui/toast.tsx'
import { type WaitingReply, waitingReplies as waiting } from './waiting.ts'
import { isStoppedAside, reloadAsides, sendAsideNow, takeBackAside } from './waiting-asides.ts'

const timers = new Map<string, number>()
/** Those that have gone or were taken back: what a page knows of its ticket may be older. */
const ended = new Set<string>()

/** Follows a reply, or a message to a third party, until it has gone. `draft`: what comes back if it is taken back; it stays in this browser until then. */
export async function followReply(reply: WaitingReply, draft?: Draft): Promise<void> {
  const key = keyOf(reply)
  if (ended.has(key) || timers.has(key)) return
  waiting.set([...waiting.get(), reply])
  const left = Math.max(0, reply.goesAt - Date.now())
  timers.set(
    key,
    window.setTimeout(() => void replyIsOver(reply), left + 400)
  )
  if (draft) await saveDraft(sentKey(reply), draft).catch(() => {})
}

/** Takes a reply back: text, files and caret are as they were. Returns whether that was possible. */
export async function takeBack(reply: WaitingReply): Promise<boolean> {
  forget(reply)
  if (reply.isAside) {
    const isBack = await takeBackAside(reply, () => loadDraft(sentKey(reply)).catch(() => undefined))
    await clearDraft(sentKey(reply)).catch(() => {})
    return isBack
  }
  try {
    const { reply: taken } = await post('/api/admin/tickets/reply/undo', {
      id: reply.ticketId,
      message_id: reply.messageId
    })
    const kept = await loadDraft(sentKey(reply)).catch(() => undefined)
    await restoreDraft(
      draftKey(reply.account, reply.ticketId, 'reply'),
      kept ?? {
        ...emptyDraft(),
        text: taken.message,
        fields: recipientFields({ ...taken, toClient: taken.to_client === 1 })
      }
    )
    await clearDraft(sentKey(reply)).catch(() => {})
    reloadTicket(reply.number)
    return true
  } catch (error) {
    const isGone = hasReason(error, 'already_sent')
    toast({ text: isGone ? t('thread.alreadySent') : failureText(error), tone: 'bad' })
    reloadTicket(reply.number)
    return false
  }
}

export async function sendNow(reply: WaitingReply): Promise<void> {
  forget(reply)
  if (reply.isAside) return await sendAsideNow(reply)
  try {
    await post('/api/admin/tickets/reply/send', { id: reply.ticketId, message_id: reply.messageId })
    await clearDraft(sentKey(reply)).catch(() => {})
    announce(t('thread.sent'))
  } catch (error) {
    // One that was stopped comes back, and why is told.
    if (!hasReason(error, 'reply_stopped')) toast({ text: failureText(error), tone: 'bad' })
  }
  reloadTicket(reply.number)
}

/** Its time is over: the service has sent it, or stopped it because the client has written. The ticket tells. */
async function replyIsOver(reply: WaitingReply): Promise<void> {
  const isStopped = await (reply.isAside ? isStoppedAside : isStoppedReply)(reply).catch(() => false)
  forget(reply)
  if (reply.isAside) reloadAsides()
  else reloadTicket(reply.number)
  if (!isStopped) await clearDraft(sentKey(reply)).catch(() => {})
}

async function isStoppedReply({ messageId }: WaitingReply): Promise<boolean> {
  const { replies } = await post('/api/admin/tickets/reply/waiting', {})
  return replies.some(({ message_id, state }) => message_id === messageId && state === 'stopped')
}

/** Leads to the reply field as soon as it has its text again. */
export function focusReply(tries = 120): void {
  const field = document.querySelector<HTMLElement>('[data-composer="reply"]')
  if (field && !field.checkVisibility()) document.querySelector<HTMLElement>('[data-begin="reply"]')?.click()
  else if (field && !field.matches('[aria-readonly="true"], [readonly]')) field.focus()
  else if (tries > 0) requestAnimationFrame(() => focusReply(tries - 1))
}

/** Who was to get it, as the draft keeps it. `toClient`: whether the client was; `to`: the others. */
export function recipientFields({ from, toClient, to, cc, bcc, cc_once }: Taken): Draft['fields'] {
  const chosen = {
    ...(from ? { from } : {}),
    ...(to.length > 0 ? { to } : {}),
    ...(toClient ? {} : { withoutClient: true }),
    ...(cc ? { cc } : {}),
    ...(bcc.length > 0 ? { bcc } : {}),
    ...(cc_once.length > 0 ? { once: cc_once } : {})
  }
  return Object.keys(chosen).length === 0 ? {} : { recipients: JSON.stringify(chosen) }
}

type Taken = Pick<DataOf<'/api/admin/tickets/reply/undo'>['reply'], 'from' | 'to' | 'cc' | 'bcc' | 'cc_once'> & {
  toClient: boolean
}

function forget(reply: WaitingReply): void {
  const key = keyOf(reply)
  clearTimeout(timers.get(key))
  timers.delete(key)
  ended.add(key)
  waiting.set(waiting.get().filter(other => keyOf(other) !== key))
}

/** Replies and messages to third parties have ids of their own. */
function keyOf({ messageId, isAside }: WaitingReply): string {
  return `${isAside ? 'aside' : 'reply'} ${messageId}`
}

function reloadTicket(number: string): void {
  void queryClient.invalidateQueries({ queryKey: queryKeyOf('/api/admin/tickets/detail', { id: number }) })
}

/** Where the draft is kept while its reply waits. Lists do not show it as a draft. */
function sentKey({ account, messageId, isAside }: WaitingReply): string {
  return draftKey(account, 'sent', `${isAside ? 'aside-' : ''}${messageId}`)
}
