import { desk } from '../../app/desk.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { toast } from '../../ui/toast.tsx'
import { refreshHeld, wordsFor } from './held-mail.ts'

/** Discards e-mails; for a day that can be undone, and at once by the toast. Answers whether it was done. */
export async function discard(ids: number[]): Promise<boolean> {
  try {
    const { data } = await desk.POST('/api/admin/mail/held/delete', { body: { ids } })
    toast({
      text: t('held.discarded', { count: data.deleted_ids.length }),
      undo: () => void restore(data.deleted_ids)
    })
    return true
  } catch (error) {
    toast({ text: wordsFor(error), tone: 'bad' })
    return false
  } finally {
    await refreshHeld()
  }
}

async function restore(ids: number[]): Promise<void> {
  try {
    for (const id of ids) await desk.POST('/api/admin/mail/held/restore', { body: { id } })
    announce(t('held.restored'))
  } catch (error) {
    toast({ text: wordsFor(error), tone: 'bad' })
  }
  await refreshHeld()
}

export async function unblock(id: number): Promise<void> {
  try {
    await desk.POST('/api/admin/mail/blocked/remove', { body: { id } })
    announce(t('held.unblocked'))
  } catch (error) {
    toast({ text: wordsFor(error), tone: 'bad' })
  }
  await refreshHeld()
}
