import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { linkDeskTickets } from './endpoints/admin-tickets-link.ts'
import { splitDeskTicket } from './endpoints/admin-tickets-split.ts'
import { unlinkDeskTickets } from './endpoints/admin-tickets-unlink.ts'
import { unsplitDeskTicket } from './endpoints/admin-tickets-unsplit.ts'

export const linksEndpoints: readonly AnyEndpoint[] = [
  linkDeskTickets,
  unlinkDeskTickets,
  splitDeskTicket,
  unsplitDeskTicket
]
