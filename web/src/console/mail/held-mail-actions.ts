import { post } from '../../app/api-client.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { toast } from '../../ui/toast.tsx'
import { heldMailFailureText, reloadHeldMail } from '../mail-log/held-mail.ts'

/** The most e-mails that one request may discard. */
const atOnce = 100

/**
 * Discards e-mails. A toast offers to undo it, and says how many could not be discarded. Resolves to whether any was discarded.
 */
export async function discard(ids: readonly number[]): Promise<boolean> {
  const done: number[] = []
  let failure: unknown
  try {
    for (let at = 0; at < ids.length; at += atOnce) {
      const data = await post('/api/admin/mail/held/delete', { ids: ids.slice(at, at + atOnce) })
      done.push(...data.deleted_ids)
    }
  } catch (error) {
    failure = error
  }
  const left = ids.length - done.length
  if (done.length === 0) toast({ text: failure ? heldMailFailureText(failure) : t('held.failed.gone'), tone: 'bad' })
  else
    toast({
      text: [t('held.discarded', { count: done.length }), left > 0 && leftText(left, failure)]
        .filter(Boolean)
        .join(' '),
      undo: () => void restore(done)
    })
  await reloadHeldMail()
  return done.length > 0
}

/** Releases e-mails one by one: each becomes a ticket of its sender. A toast says how many are still held, and why. */
export async function releaseAll(
  ids: readonly number[],
  progress: (dealtWith: number) => void
): Promise<{ left: number[] }> {
  const left: number[] = []
  const reasons = new Set<string>()
  for (const [place, id] of ids.entries()) {
    try {
      await post('/api/admin/mail/held/release', { id })
    } catch (error) {
      left.push(id)
      reasons.add(heldMailFailureText(error))
    }
    progress(place + 1)
  }
  const done = ids.length - left.length
  const [reason] = reasons
  const why =
    reasons.size === 1
      ? t('held.leftFor', { count: left.length, reason: reason! })
      : t('held.left', { count: left.length })
  toast({
    text: [done > 0 && t('held.releasedMany', { count: done }), left.length > 0 && why].filter(Boolean).join(' '),
    tone: done > 0 ? 'plain' : 'bad'
  })
  await reloadHeldMail()
  return { left }
}

function leftText(count: number, failure: unknown): string {
  return t('held.leftFor', { count, reason: failure ? heldMailFailureText(failure) : t('held.failed.settled') })
}

async function restore(ids: number[]): Promise<void> {
  try {
    for (const id of ids) await post('/api/admin/mail/held/restore', { id })
    announce(t('held.restored'))
  } catch (error) {
    toast({ text: heldMailFailureText(error), tone: 'bad' })
  }
  await reloadHeldMail()
}

export async function unblock(id: number): Promise<void> {
  try {
    await post('/api/admin/mail/blocked/remove', { id })
    announce(t('held.unblocked'))
  } catch (error) {
    toast({ text: heldMailFailureText(error), tone: 'bad' })
  }
  await reloadHeldMail()
}
