import type { TSchema } from 'typebox'
import { SignatureView } from '../../people/account/signature.ts'
import {
  DraftInTicket,
  DraftView,
  PossibleRecipientView,
  PossibleSenderView,
  WaitingReplyView
} from '../../tickets/drafts/schemas.ts'
import { RecipientsView } from '../../tickets/followers/recipients.ts'
import { ClientEmailView } from '../../tickets/ticket/client-email.ts'
import { Reach } from '../../tickets/ticket/reach.ts'

/** Those of `apiModels` that are of replies before they go, and of whom they reach. */
export const sendingModels: Record<string, TSchema> = {
  ClientEmail: ClientEmailView,
  Draft: DraftView,
  DraftInTicket,
  PossibleRecipient: PossibleRecipientView,
  PossibleSender: PossibleSenderView,
  Reach,
  ReplyRecipients: RecipientsView,
  Signature: SignatureView,
  SignatureTexts: SignatureView.properties.texts,
  WaitingFile: WaitingReplyView.properties.attachments.items,
  WaitingReply: WaitingReplyView
}
