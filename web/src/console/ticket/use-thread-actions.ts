import { useCallback, useState } from 'react'
import { post } from '../../app/api-client.ts'
import { failureText } from '../../app/failures.ts'
import { useMe } from '../../app/me.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import { t } from '../../lib/strings.ts'
import { toast } from '../../ui/toast.tsx'
import type { Ticket } from './thread-types.ts'
import { reloadDetail, showTicket, updateDetail } from './ticket-cache.ts'

export interface ThreadActions {
  watch(isWatching: boolean): Promise<void>
  print(hasNotes: boolean): void
  /** Asks for the other ticket first. */
  merge(): void
  unmerge(id: number): Promise<void>
  /** Asks for confirmation first. */
  trash(): void
  restore(): Promise<void>
  /** Shows what rules did, and what they wait for. */
  automation(): void
  /** Shows the e-mails of the ticket, and what became of them. */
  emails(): void
}

export type ThreadDialog = 'merge' | 'trash' | 'automation' | 'emails' | undefined

/** The actions on a whole ticket. */
export function useThreadActions(ticket: Ticket | undefined, number: string, print: (hasNotes: boolean) => void) {
  const me = useMe()
  const [asking, setAsking] = useState<ThreadDialog>()
  const id = ticket?.id ?? number

  const watch = useCallback(
    async (isWatching: boolean) => {
      const [first_name = '', ...others] = me.name.split(' ')
      const own = { id: me.id, first_name, last_name: others.join(' ') }
      const showWatching = (watching: boolean) =>
        updateDetail(number, detail => {
          const others = detail.watchers.filter(({ id }) => id !== me.id)
          return { ...detail, watchers: watching ? [...others, own] : others }
        })
      const say = async (watching: boolean) => {
        showWatching(watching)
        await post('/api/admin/tickets/watch', { id, watching: watching ? 1 : 0 }).catch((error: unknown) => {
          showWatching(!watching)
          throw error
        })
      }
      await orToast(async () => {
        await say(isWatching)
        const text = isWatching ? t('thread.nowWatching') : t('thread.notWatching')
        toast({ text, undo: () => void orToast(() => say(!isWatching)) })
      })
    },
    [id, number, me]
  )

  const restore = useCallback(async () => {
    await orToast(async () => {
      const data = await post('/api/admin/tickets/restore', { id })
      showTicket(data.ticket)
      await refreshLists()
      toast({ text: t('thread.restored') })
    })
  }, [id])

  const unmerge = useCallback(
    async (merged: number) => {
      await orToast(async () => {
        const { ticket } = await post('/api/admin/tickets/unmerge', { id: merged })
        await Promise.all([reloadDetail(number), refreshLists()])
        toast({ text: t('thread.unmerged', { number: ticket.ticket_number }) })
      })
    },
    [number]
  )

  const actions: ThreadActions = {
    watch,
    print,
    merge: () => setAsking('merge'),
    unmerge,
    trash: () => setAsking('trash'),
    restore,
    automation: () => setAsking('automation'),
    emails: () => setAsking('emails')
  }
  return { actions, asking, stopAsking: useCallback(() => setAsking(undefined), []) }
}

/** Moves the ticket to the trash. Undo restores it. */
export async function trashTicket({ id, ticket_number: number }: Ticket): Promise<void> {
  await post('/api/admin/tickets/delete', { id })
  await refreshLists()
  const undo = () =>
    void orToast(async () => {
      await post('/api/admin/tickets/restore', { id })
      await Promise.all([reloadDetail(number), refreshLists()])
      toast({ text: t('thread.restored') })
    })
  toast({ text: t('thread.trashed', { number }), undo })
}

/** Merges the ticket into the other one, and returns the other one. */
export async function mergeInto({ id, ticket_number: number }: Ticket, into: string | number): Promise<string> {
  const { ticket } = await post('/api/admin/tickets/merge', { id, into_id: into })
  const target = ticket.ticket_number
  await Promise.all([reloadDetail(number), reloadDetail(target), refreshLists()])
  const undo = () =>
    void orToast(async () => {
      await post('/api/admin/tickets/unmerge', { id })
      await Promise.all([reloadDetail(number), reloadDetail(target), refreshLists()])
      toast({ text: t('thread.unmerged', { number }) })
    })
  toast({ text: t('thread.merged', { number, target }), undo })
  return target
}

const refreshLists = () => reloadQueries('/api/admin/tickets/list', '/api/admin/tickets/counts')

async function orToast(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    toast({ text: failureText(error), tone: 'bad' })
  }
}
