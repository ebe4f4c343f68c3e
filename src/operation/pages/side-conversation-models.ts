import type { TSchema } from 'typebox'
import { AwaitedAnswer } from '../../tickets/links/blocked-tickets.ts'
import { showConversation } from '../../tickets/side-conversations/endpoints/admin-tickets-conversations-detail.ts'
import {
  ConversationView,
  Forwarded,
  LastMessage,
  Participant,
  SideMessageView
} from '../../tickets/side-conversations/schemas.ts'
import { ForwardingView, WaitingSideMessageView } from '../../tickets/side-conversations/waiting-side-messages.ts'
import { partOf } from './model-parts.ts'

/** The names of what the API shows of side conversations. */
export const sideConversationModels: Record<string, TSchema> = {
  AwaitedAnswer,
  SideConversation: ConversationView,
  SideConversationLastMessage: LastMessage,
  SideConversationMessage: SideMessageView,
  SideConversationShown: partOf(showConversation, 'conversation'),
  SideForwardedMessage: Forwarded,
  SideForwarding: ForwardingView,
  SideParticipant: Participant,
  WaitingSideMessage: WaitingSideMessageView
}
