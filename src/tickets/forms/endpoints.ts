import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { archiveTicketForm } from './endpoints/admin-ticket-forms-archive.ts'
import { createTicketForm } from './endpoints/admin-ticket-forms-create.ts'
import { deleteTicketForm } from './endpoints/admin-ticket-forms-delete.ts'
import { showFormToAdmin } from './endpoints/admin-ticket-forms-detail.ts'
import { listTicketForms } from './endpoints/admin-ticket-forms-list.ts'
import { unarchiveTicketForm } from './endpoints/admin-ticket-forms-unarchive.ts'
import { updateTicketForm } from './endpoints/admin-ticket-forms-update.ts'
import { showTicketForm } from './endpoints/ticket-forms.ts'
import { setTicketFields } from './endpoints/tickets-fields.ts'

export const formsEndpoints: readonly AnyEndpoint[] = [
  listTicketForms,
  showFormToAdmin,
  createTicketForm,
  updateTicketForm,
  archiveTicketForm,
  unarchiveTicketForm,
  deleteTicketForm,
  showTicketForm,
  setTicketFields
]
