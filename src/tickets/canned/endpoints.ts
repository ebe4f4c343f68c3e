import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { createCannedReply } from './endpoints/admin-canned-replies-create.ts'
import { deleteCannedReply } from './endpoints/admin-canned-replies-delete.ts'
import { listCannedReplies } from './endpoints/admin-canned-replies-list.ts'
import { renderCannedReply } from './endpoints/admin-canned-replies-render.ts'
import { updateCannedReply } from './endpoints/admin-canned-replies-update.ts'

export const cannedEndpoints: readonly AnyEndpoint[] = [
  listCannedReplies,
  createCannedReply,
  updateCannedReply,
  deleteCannedReply,
  renderCannedReply
]
