import { nameOf } from '../../lib/person-name.ts'
import { listText } from '../../lib/times.ts'
import type { Detail } from './thread-types.ts'

/** Who gets a reply: "Katharina and Anton". */
export function recipientNames({ ticket, followers }: Detail): string {
  const others = followers.filter(({ undeliverable }) => undeliverable === null)
  return listText([
    ticket.client.first_name || nameOf(ticket.client),
    ...others.map(({ name, email }) => name || email)
  ])
}
