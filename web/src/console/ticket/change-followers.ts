import { post } from '../../app/api-client.ts'
import { deliveryReasonText } from '../../app/delivery-reasons.ts'
import { failureOf, failureText } from '../../app/failures.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { toast } from '../../ui/toast.tsx'
import type { Detail, Ticket } from './thread-types.ts'
import { updateDetail } from './ticket-cache.ts'

type Follower = Detail['followers'][number]

/** Adds a follower, updates the page and announces it. Throws the service's refusal. */
export async function addFollower({ id, ticket_number: number }: Ticket, email: string, name: string): Promise<void> {
  const data = await post('/api/admin/tickets/followers/add', { id, email, ...(name && { name }) })
  updateDetail(number, detail => ({ ...detail, followers: data.followers }))
  announce(t('thread.followerAdded', { person: name || email }))
}

/** Removes a follower; resolves to whether it succeeded. The toast can undo it, unless the service would refuse the address. */
export async function removeFollower(ticket: Ticket, follower: Follower): Promise<boolean> {
  const { id, ticket_number: number } = ticket
  const { email, name, undeliverable } = follower
  try {
    const body = { id, follower_id: follower.id }
    const data = await post('/api/admin/tickets/followers/remove', body)
    updateDetail(number, detail => ({ ...detail, followers: data.followers }))
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

/** The message for a refused follower. */
export function whyNotFollower(error: unknown): string {
  const failure = failureOf(error)
  // Status 400: the address is invalid.
  if (failure?.status === 400) return t('thread.followerNoAddress')
  if (failure?.reason === 'too_many_followers') return t('thread.followersFull')
  if (failure?.reason !== 'follower_refused') return failureText(error)
  const { cause, reason_code } = (failure.data ?? {}) as Partial<Refusal>
  switch (cause) {
    case 'client':
      return t('thread.followerIsClient')
    case 'staff':
      return t('thread.followerIsStaff')
    case 'desk':
      return t('thread.followerIsDesk')
    case 'undeliverable':
      return t('thread.followerNotReached', { reason: deliveryReasonText(reason_code ?? null, null) })
    default:
      return failureText(error)
  }
}

interface Refusal {
  cause: 'client' | 'staff' | 'desk' | 'undeliverable'
  reason_code: Follower['undeliverable_code']
}

async function orToast(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => toast({ text: whyNotFollower(error), tone: 'bad' }))
}
