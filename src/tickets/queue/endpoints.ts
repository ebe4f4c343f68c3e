import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { showClient } from './endpoints/admin-clients-detail.ts'
import { countDeskTickets } from './endpoints/admin-tickets-counts.ts'
import { listDeskTickets } from './endpoints/admin-tickets-list.ts'
import { createView } from './endpoints/admin-views-create.ts'
import { deleteView } from './endpoints/admin-views-delete.ts'
import { listViews } from './endpoints/admin-views-list.ts'
import { updateView } from './endpoints/admin-views-update.ts'
import { listTickets } from './endpoints/tickets-list.ts'

export const queueEndpoints: readonly AnyEndpoint[] = [
  listTickets,
  listDeskTickets,
  countDeskTickets,
  listViews,
  createView,
  updateView,
  deleteView,
  showClient
]
