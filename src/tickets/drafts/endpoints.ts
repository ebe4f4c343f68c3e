import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { showDeskDraft } from './endpoints/admin-tickets-draft.ts'
import { deleteDeskDraft } from './endpoints/admin-tickets-draft-delete.ts'
import { saveDeskDraft } from './endpoints/admin-tickets-draft-save.ts'
import { takeDeskDraft } from './endpoints/admin-tickets-draft-take.ts'
import { listPossibleRecipients } from './endpoints/admin-tickets-recipients.ts'

export const draftsEndpoints: readonly AnyEndpoint[] = [
  saveDeskDraft,
  showDeskDraft,
  deleteDeskDraft,
  takeDeskDraft,
  listPossibleRecipients
]
