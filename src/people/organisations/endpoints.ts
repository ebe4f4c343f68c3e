import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { showOwnOrganisation } from './endpoints/account-organisation.ts'
import { archiveOrganisation } from './endpoints/admin-organisations-archive.ts'
import { createOrganisation } from './endpoints/admin-organisations-create.ts'
import { deleteOrganisation } from './endpoints/admin-organisations-delete.ts'
import { showOrganisation } from './endpoints/admin-organisations-detail.ts'
import { previewJoiners } from './endpoints/admin-organisations-joiners.ts'
import { listOrganisations } from './endpoints/admin-organisations-list.ts'
import { mergeOrganisation } from './endpoints/admin-organisations-merge.ts'
import { unarchiveOrganisation } from './endpoints/admin-organisations-unarchive.ts'
import { updateOrganisation } from './endpoints/admin-organisations-update.ts'

export const organisationsEndpoints: readonly AnyEndpoint[] = [
  listOrganisations,
  showOrganisation,
  previewJoiners,
  createOrganisation,
  updateOrganisation,
  archiveOrganisation,
  unarchiveOrganisation,
  deleteOrganisation,
  mergeOrganisation,
  showOwnOrganisation
]
