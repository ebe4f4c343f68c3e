import type { DataOf } from '@deskline/client'
import { type Key, t } from '../../lib/strings.ts'

export type Ticket = DataOf<'/api/tickets/list'>['tickets'][number]
type Status = Ticket['status']

/** Whose turn it is to write: what customers want to know of a ticket first. */
export type Turn = 'yours' | 'ours' | 'none'

const statusKeys: Record<Status, Key> = {
  Open: 'portal.received',
  'In Progress': 'portal.weWork',
  'Customer-Reply': 'portal.youWroteLast',
  Answered: 'portal.answered',
  Closed: 'portal.closed'
}

export function turnOf(status: Status): Turn {
  if (status === 'Answered') return 'yours'
  return status === 'Closed' ? 'none' : 'ours'
}

/** The status as customers understand it. */
export function statusText(status: Status): string {
  return t(statusKeys[status])
}
