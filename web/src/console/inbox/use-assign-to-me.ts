import { post } from '../../app/api-client.ts'
import { failureText } from '../../app/failures.ts'
import { useMe } from '../../app/me.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { toast } from '../../ui/toast.tsx'
import type { BulkChange } from './bulk-change.ts'
import type { ListedTicket } from './ticket-list.ts'
import { updateListedTickets } from './ticket-list-query.ts'

/** Assigns tickets to oneself: all in one call with the permission to assign, else one by one those that are unassigned. */
export function useAssignToMe(
  run: (tickets: readonly ListedTicket[], change: BulkChange) => void,
  onChanged: (ids: readonly number[]) => void
) {
  const me = useMe()
  const assignee = { id: me.id, first_name: me.profile.first_name, last_name: me.profile.last_name }
  return (tickets: readonly ListedTicket[]) => {
    const others = tickets.filter(ticket => ticket.assignee?.id !== me.id)
    if (others.length === 0) return
    if (me.can('tickets.edit_status')) return run(others, { action: 'assign', assignee })
    for (const ticket of others) take(ticket, assignee).then(() => onChanged([ticket.id]))
  }
}

async function take(ticket: ListedTicket, assignee: NonNullable<ListedTicket['assignee']>): Promise<void> {
  const { id, version } = ticket
  const takeBack = updateListedTickets([id], shown => ({ ...shown, assignee }))
  try {
    const data = await post('/api/admin/tickets/assign', {
      id,
      assigned_staff_id: assignee.id,
      expected_version: version
    })
    updateListedTickets([id], shown => ({ ...shown, ...data.ticket }))
    toast({ text: t('inbox.doneAssign', { count: 1, name: nameOf(assignee) }) })
  } catch (error) {
    takeBack()
    toast({ text: failureText(error), tone: 'bad' })
  }
}
