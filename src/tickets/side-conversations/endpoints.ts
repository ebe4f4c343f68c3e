import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { showConversation } from './endpoints/admin-tickets-conversations-detail.ts'
import { listConversations } from './endpoints/admin-tickets-conversations-list.ts'
import { replyInConversation } from './endpoints/admin-tickets-conversations-reply.ts'
import { sendSideMessageNow } from './endpoints/admin-tickets-conversations-send.ts'
import { undoSideMessage } from './endpoints/admin-tickets-conversations-undo.ts'
import { changeConversation } from './endpoints/admin-tickets-conversations-update.ts'
import { forwardDeskTicket } from './endpoints/admin-tickets-forward.ts'
import { previewForward } from './endpoints/admin-tickets-forward-preview.ts'

export const sideConversationEndpoints: readonly AnyEndpoint[] = [
  forwardDeskTicket,
  previewForward,
  listConversations,
  showConversation,
  replyInConversation,
  changeConversation,
  undoSideMessage,
  sendSideMessageNow
]
