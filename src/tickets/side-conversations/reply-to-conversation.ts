import type { StaffActor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { type Format, formattedHtml } from '../../core/formatted-text/format.ts'
import type { Services } from '../../core/services.ts'
import type { StagedFile } from '../../platform/files/file-store.ts'
import { actWithFiles } from '../threads/add-message.ts'
import { lockedConversation } from './conversation-for.ts'
import { asClean, participantsOf, requireFilesToSend } from './forward-ticket.ts'
import { addWaitingSideMessage } from './waiting-side-messages.ts'
import { sendSideMessage, writeSideMessage } from './write-side-message.ts'

const maxEarlier = 10

interface Writing {
  actor: StaffActor
  caller: Origin
  /** The conversation. */
  id: number
}

/** What staff write to a third party. */
interface SideReply {
  message: string
  format: Format | undefined
  uploads: StagedFile[]
  /** The id that the message gets, if it has waited under it; its files are stored already. */
  promisedId?: number
}

/** Writes to the third party of a side conversation. A closed one is open again. Throws `ConversationNotFound`, `ThirdPartyRefused`. */
export async function replyToConversation(
  services: Services,
  { actor, caller, id }: Writing,
  { message: text, format, uploads, promisedId }: SideReply
): Promise<number> {
  requireFilesToSend(
    services,
    uploads.map(({ fileSizeBytes: sizeBytes }) => ({ sizeBytes }))
  )
  const html = await formattedHtml(format, text, uploads)
  const toKeep = promisedId === undefined ? uploads : []
  const written = await actWithFiles(services, { actor, caller }, toKeep, async act => {
    const { db, now } = act
    const { conversation, ticket } = await lockedConversation(db, actor, id)
    const before = await earlierMessages(db, { conversation: id, limit: maxEarlier })
    const message = await writeSideMessage(act, {
      promisedId,
      conversationId: id,
      staffId: actor.id,
      senderName: `${actor.firstName} ${actor.lastName}`,
      senderEmail: null,
      message: text,
      html,
      uploads,
      scanState: services.scanner ? 'pending' : 'clean'
    })
    await settle(db, { id, isAnswered: false, now })
    await sendSideMessage(services, db, {
      actor,
      ticket,
      conversation,
      recipients: await participantsOf(db, { conversation: id }),
      message: { id: message.id, text, html },
      files: message.attachments.map(asClean),
      thread: before.map(({ sender_name, message, created_at }) => ({
        by: sender_name,
        text: message,
        at: created_at
      })),
      isFirst: false,
      requestId: caller.requestId
    })
    act.happened({
      kind: 'conversation.replied',
      ticket: ticket.id,
      after: { conversation_id: id, side_message_id: message.id }
    })
    return message
  })
  return written.id
}

/** Has a message in a side conversation wait, so that its writer can take it back. Throws `ConversationNotFound`, `ThirdPartyRefused`. */
export async function replyToConversationLater(
  services: Services,
  { actor, caller, id }: Writing,
  { message, format, uploads }: SideReply,
  seconds: number
): Promise<{ side_message_id: number; sends_at: Date }> {
  requireFilesToSend(
    services,
    uploads.map(({ fileSizeBytes: sizeBytes }) => ({ sizeBytes }))
  )
  return await actWithFiles(services, { actor, caller }, uploads, async act => {
    const { ticket } = await lockedConversation(act.db, actor, id)
    const given = { ticketId: ticket.id, conversationId: id, forwarding: null, message, format: format ?? null }
    const by = { actor, caller, now: act.now, seconds }
    return { ...(await addWaitingSideMessage(act.db, { ...given, ...by, files: uploads })), attachments: [] }
  })
}

/** Changes whether closing and snoozing the ticket wait for the answer, and whether the conversation is over. Throws `ConversationNotFound`. */
export async function updateConversation(
  services: Services,
  { actor, caller, id }: Writing,
  wanted: { waits: boolean | undefined; isClosed: boolean | undefined }
): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const { conversation, ticket } = await lockedConversation(act.db, actor, id)
    const former = { waits: conversation.waits, is_closed: conversation.is_closed }
    const next = { waits: wanted.waits ?? former.waits, is_closed: wanted.isClosed ?? former.is_closed }
    const changed = (['waits', 'is_closed'] as const).filter(name => former[name] !== next[name])
    if (changed.length === 0) return
    await change(act.db, { id, waits: next.waits, isClosed: next.is_closed, now: act.now })
    const only = (facts: typeof former) => Object.fromEntries(changed.map(name => [name, facts[name]]))
    act.happened({
      kind: 'conversation.updated',
      ticket: ticket.id,
      before: only(former),
      after: { conversation_id: id, ...only(next) }
    })
  })
}

/** After a message: who wrote last, and that the conversation is open. */
export const settle = prepared((db: Db, p: { id: number; isAnswered: boolean; now: Date }) =>
  db
    .updateTable('side_conversations')
    .where('id', '=', p.id)
    .set({ is_answered: p.isAnswered, is_closed: false, updated_at: p.now })
)

const change = prepared((db: Db, p: { id: number; waits: boolean; isClosed: boolean; now: Date }) =>
  db
    .updateTable('side_conversations')
    .where('id', '=', p.id)
    .set({ waits: p.waits, is_closed: p.isClosed, updated_at: p.now })
)

const earlierMessages = prepared((db: Db, p: { conversation: number; limit: number }) =>
  db
    .selectFrom('side_messages')
    .where('conversation_id', '=', p.conversation)
    .select(['sender_name', 'message', 'created_at'])
    .orderBy('id', 'desc')
    .limit(p.limit)
)
