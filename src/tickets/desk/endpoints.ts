import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { listColleagues } from './endpoints/admin-colleagues-list.ts'
import { assignDeskTicket } from './endpoints/admin-tickets-assign.ts'
import { changeDeskTickets } from './endpoints/admin-tickets-bulk.ts'
import { deleteDeskTicket } from './endpoints/admin-tickets-delete.ts'
import { addTicketFollower } from './endpoints/admin-tickets-followers-add.ts'
import { listTicketFollowers } from './endpoints/admin-tickets-followers-list.ts'
import { removeTicketFollower } from './endpoints/admin-tickets-followers-remove.ts'
import { mergeDeskTickets } from './endpoints/admin-tickets-merge.ts'
import { takeNextDeskTicket } from './endpoints/admin-tickets-next.ts'
import { purgeDeskTicket } from './endpoints/admin-tickets-purge.ts'
import { restoreDeskTicket } from './endpoints/admin-tickets-restore.ts'
import { setDeskTicketStatus } from './endpoints/admin-tickets-status.ts'
import { tagDeskTicket } from './endpoints/admin-tickets-tags.ts'
import { undoDeskTicket } from './endpoints/admin-tickets-undo.ts'
import { unmergeDeskTicket } from './endpoints/admin-tickets-unmerge.ts'
import { updateDeskTicket } from './endpoints/admin-tickets-update.ts'
import { watchDeskTicket } from './endpoints/admin-tickets-watch.ts'
import { listFollowers } from './endpoints/tickets-followers-list.ts'
import { removeFollower } from './endpoints/tickets-followers-remove.ts'
import { setTicketStatus } from './endpoints/tickets-status.ts'

export const deskEndpoints: readonly AnyEndpoint[] = [
  setTicketStatus,
  setDeskTicketStatus,
  updateDeskTicket,
  assignDeskTicket,
  takeNextDeskTicket,
  listColleagues,
  tagDeskTicket,
  mergeDeskTickets,
  unmergeDeskTicket,
  changeDeskTickets,
  undoDeskTicket,
  watchDeskTicket,
  listTicketFollowers,
  addTicketFollower,
  removeTicketFollower,
  listFollowers,
  removeFollower,
  deleteDeskTicket,
  restoreDeskTicket,
  purgeDeskTicket
]
