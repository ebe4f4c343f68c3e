import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { createCannedReply } from './endpoints/admin-canned-replies-create.ts'
import { deleteCannedReply } from './endpoints/admin-canned-replies-delete.ts'
import { listCannedReplies } from './endpoints/admin-canned-replies-list.ts'
import { renderCannedReply } from './endpoints/admin-canned-replies-render.ts'
import { updateCannedReply } from './endpoints/admin-canned-replies-update.ts'
import { applyMacro } from './endpoints/admin-macros-apply.ts'
import { createMacro } from './endpoints/admin-macros-create.ts'
import { deleteMacro } from './endpoints/admin-macros-delete.ts'
import { listMacros } from './endpoints/admin-macros-list.ts'
import { previewMacro } from './endpoints/admin-macros-preview.ts'
import { updateMacro } from './endpoints/admin-macros-update.ts'

export const macroEndpoints: readonly AnyEndpoint[] = [
  listCannedReplies,
  createCannedReply,
  updateCannedReply,
  deleteCannedReply,
  renderCannedReply,
  listMacros,
  createMacro,
  updateMacro,
  deleteMacro,
  previewMacro,
  applyMacro
]
