import { desk } from '../../app/desk.ts'
import { failureText } from '../../app/failures.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { toast } from '../../ui/toast.tsx'
import type { Detail, Ticket } from './thread-types.ts'
import { changeDetail } from './ticket-cache.ts'

type Follower = Detail['followers'][number]

/** Lets somebody get the answers of the ticket, shows it and says so; what the service says against it is thrown. */
export async function addFollower({ id, ticket_number: number }: Ticket, email: string, name: string): Promise<void> {
  const { data } = await desk.POST('/api/admin/tickets/followers/add', { body: { id, email, ...(name && { name }) } })
  changeDetail(number, detail => ({ ...detail, followers: data.followers }))
  announce(t('thread.followerAdded', { person: name || email }))
}

/** Answers whether the follower is removed. Undone by the toast, unless the service would not take the address again. */
export async function removeFollower(ticket: Ticket, follower: Follower): Promise<boolean> {
  const { id, ticket_number: number } = ticket
  const { email, name, undeliverable } = follower
  try {
    const body = { id, follower_id: follower.id }
    const { data } = await desk.POST('/api/admin/tickets/followers/remove', { body })
    changeDetail(number, detail => ({ ...detail, followers: data.followers }))
    toast({
      text: t('thread.followerRemoved', { person: name || email }),
      undo: undeliverable === null ? () => void orToast(() => addFollower(ticket, email, name)) : undefined
    })
    return true
  } catch (error) {
    toast({ text: failureText(error), tone: 'bad' })
    return false
  }
}

async function orToast(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => toast({ text: failureText(error), tone: 'bad' }))
}
