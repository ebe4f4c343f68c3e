import type { BodyOf } from '@deskline/client'
import { post } from '../../app/api-client.ts'
import { failureText, hasReason } from '../../app/failures.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import { t } from '../../lib/strings.ts'
import { toast } from '../../ui/toast.tsx'
import type { Detail, Ticket } from './thread-types.ts'
import { reloadDetail, updateDetail } from './ticket-cache.ts'

export type LinkKind = BodyOf<'/api/admin/tickets/link'>['kind']
type Named = { id: number; ticket_number: string }

/** Links the ticket to another one. The toast or Z takes the link away again. */
export async function linkTo(ticket: Ticket, other: Named, kind: LinkKind): Promise<void> {
  await orToast(async () => {
    await change('/api/admin/tickets/link', ticket, other, kind)
    const undo = () => void orToast(() => change('/api/admin/tickets/unlink', ticket, other, kind))
    toast({ text: t('links.linked', { number: other.ticket_number }), undo })
  })
}

/** Takes a link away. The toast or Z brings it back. */
export async function unlinkFrom(
  ticket: Ticket,
  { kind, direction, ticket: other }: Detail['links'][number]
): Promise<void> {
  if (kind === 'split_from') return
  const [from, to] = direction === 'out' ? [ticket, other] : [other, ticket]
  await orToast(async () => {
    await change('/api/admin/tickets/unlink', ticket, other, kind)
    const undo = () =>
      void orToast(async () => {
        await post('/api/admin/tickets/link', { id: from.id, other_id: to.id, kind })
        await reloadDetail(ticket.ticket_number)
      })
    toast({ text: t('links.unlinked', { number: other.ticket_number }), undo })
  })
}

async function change(
  path: '/api/admin/tickets/link' | '/api/admin/tickets/unlink',
  { id, ticket_number }: Named,
  other: Named,
  kind: LinkKind
): Promise<void> {
  const { links, links_unseen } = await post(path, { id, other_id: other.id, kind })
  updateDetail(ticket_number, detail => ({ ...detail, links, links_unseen }))
  await reloadDetail(other.ticket_number)
}

type Split = Omit<BodyOf<'/api/admin/tickets/split'>, 'id'>

/** Makes a ticket of its own of these messages. The toast or Z puts them back. */
export async function splitOff({ id, ticket_number }: Ticket, split: Split): Promise<void> {
  const made = await post('/api/admin/tickets/split', { id, ...split })
  await Promise.all([reloadDetail(ticket_number), refreshLists()])
  const undo = () => void unsplit({ id: made.ticket_id, ticket_number: made.ticket_number })
  toast({ text: t('links.splitDone', { number: made.ticket_number }), undo })
}

/** Puts the messages of a ticket that was split off back; returns the number of the ticket that has them then, if that worked. */
export async function unsplit({ id }: Named): Promise<string | undefined> {
  let back: string | undefined
  await orToast(async () => {
    const { ticket } = await post('/api/admin/tickets/unsplit', { id })
    back = ticket.ticket_number
    await Promise.all([reloadDetail(back), refreshLists()])
    toast({ text: t('links.splitUndone', { number: back }) })
  })
  return back
}

const refreshLists = () => reloadQueries('/api/admin/tickets/list', '/api/admin/tickets/counts')

async function orToast(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    toast({ text: refusalText(error), tone: 'bad' })
  }
}

function refusalText(error: unknown): string {
  if (hasReason(error, 'already_linked')) return t('links.alreadyLinked')
  if (hasReason(error, 'blocks_in_circle')) return t('links.circle')
  if (hasReason(error, 'too_many_links')) return t('links.tooMany')
  if (hasReason(error, 'written_since')) return t('links.writtenSince')
  return failureText(error)
}
