import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { showConversation } from './endpoints/admin-tickets-conversations-detail.ts'
import { listConversations } from './endpoints/admin-tickets-conversations-list.ts'
import { replyInConversation } from './endpoints/admin-tickets-conversations-reply.ts'
import { changeConversation } from './endpoints/admin-tickets-conversations-update.ts'
import { forwardDeskTicket } from './endpoints/admin-tickets-forward.ts'

export const sideConversationEndpoints: readonly AnyEndpoint[] = [
  forwardDeskTicket,
  listConversations,
  showConversation,
  replyInConversation,
  changeConversation
]
