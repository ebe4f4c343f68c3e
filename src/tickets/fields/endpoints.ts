import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { archiveField } from './endpoints/admin-fields-archive.ts'
import { createField } from './endpoints/admin-fields-create.ts'
import { deleteField } from './endpoints/admin-fields-delete.ts'
import { listFields } from './endpoints/admin-fields-list.ts'
import { unarchiveField } from './endpoints/admin-fields-unarchive.ts'
import { updateField } from './endpoints/admin-fields-update.ts'
import { listFieldUses } from './endpoints/admin-fields-uses.ts'

export const fieldsEndpoints: readonly AnyEndpoint[] = [
  listFields,
  createField,
  updateField,
  archiveField,
  unarchiveField,
  deleteField,
  listFieldUses
]
