import { sql } from 'kysely'
import { system } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Keys } from '../../core/keys.ts'
import type { Services } from '../../core/services.ts'
import { conversationInAddress } from '../../mail/support-addresses/signed-address.ts'
import { allSpellings } from '../../mail/support-addresses/support-addresses.ts'
import type { StagedFile } from '../../platform/files/file-store.ts'
import { endSnooze } from '../snooze/end-snooze.ts'
import { actWithFiles } from '../threads/add-message.ts'
import { lockConversation } from './conversation-for.ts'
import { addParticipants } from './forward-ticket.ts'
import { clientAmong } from './recipients.ts'
import { settle } from './reply-to-conversation.ts'
import { writeSideMessage } from './write-side-message.ts'

/** The side conversation to which a mail belongs, the ticket that shows it, and whether its sender is in it. */
export interface FoundConversation {
  id: number
  ticket_id: number
  is_participant: boolean
}

interface Clues {
  /** All addresses to which it was sent. */
  recipients: readonly string[]
  /** The parts before the @ of the Message-IDs that it replies to, the nearest first. */
  refs: readonly string[]
  /** The whole Message-IDs. */
  references: readonly string[]
  sender: string
}

/**
 * The side conversation that a mail answers: by our signature in the address to which it came, by the Message-ID of an e-mail of ours, which nobody can
 * guess, or, for whoever is in it, by that of a mail in it. None if its ticket is in the trash.
 */
export async function conversationOfMail(
  { db, keys }: { db: Db; keys: Keys },
  { recipients, refs, references, sender }: Clues
): Promise<FoundConversation | undefined> {
  const ids = recipients.flatMap(recipient => conversationInAddress(keys, recipient) ?? [])
  if (ids.length + refs.length === 0) return undefined
  const [found] = await answered(db, { ids, refs, references, sender })
  return found
}

const answered = prepared(
  (db: Db, p: { ids: readonly number[]; refs: readonly string[]; references: readonly string[]; sender: string }) =>
    db
      .selectFrom(
        sql<{ id: number; place: number }>`(
          select signed as id, 0 as place from unnest(${p.ids}::bigint[]) as signed
          union all
          select message.conversation_id, 1 from side_messages as message
            join sent_emails as sent on sent.side_message_id = message.id where sent.ref = any(${p.refs}::text[])
          union all
          select message.conversation_id, 2 from side_messages as message
            join inbound_mails as mail on mail.side_message_id = message.id where mail.message_ref = any(${p.references}::text[]))`.as(
          'named'
        )
      )
      .innerJoin('side_conversations as conversation', 'conversation.id', 'named.id')
      .innerJoin('tickets as part', 'part.id', 'conversation.ticket_id')
      .innerJoin('tickets as shown', join =>
        join.on(({ eb, ref, fn }) => eb('shown.id', '=', fn.coalesce(ref('part.merged_into_id'), ref('part.id'))))
      )
      .where('shown.trashed_at', 'is', null)
      .select(['conversation.id', 'shown.id as ticket_id'])
      .select(
        sql<boolean>`exists (select from side_participants as person
          where person.conversation_id = conversation.id and lower(person.email) = lower(${p.sender}))`.as(
          'is_participant'
        )
      )
      .where(
        sql<boolean>`(named.place < 2 or exists (select from side_participants as person
          where person.conversation_id = conversation.id and lower(person.email) = lower(${p.sender})))`
      )
      .orderBy('named.place')
      .orderBy('conversation.id', 'desc')
      .limit(1)
)

/** What came by e-mail for a side conversation. */
export interface ReceivedSideMessage {
  from: { email: string; name: string }
  /** All to whom it was sent, as it says. */
  to: readonly string[]
  text: string
  quoted: string
  html: string | null
  files: StagedFile[]
  isAutomatic: boolean
  requestId: string
}

/**
 * Adds a third party's e-mail to a side conversation. The ticket's status stays. A ticket that is snoozed wakes if it is so for a third party, or if
 * closing and snoozing wait for this answer; not if a program wrote it. Whoever was not in the conversation is from now on. Undefined if it was removed
 * meanwhile.
 */
export async function receiveSideMessage(
  services: Services,
  { id, ticket_id: ticketId }: Pick<FoundConversation, 'id' | 'ticket_id'>,
  { from, to, text, quoted, html, files, isAutomatic, requestId }: ReceivedSideMessage
): Promise<number | undefined> {
  const by = { actor: system, caller: { ip: null, requestId } }
  const written = await actWithFiles(services, by, files, async act => {
    const locked = await lockConversation(act.db, id, ticketId)
    if (!locked) return { id: undefined, attachments: [] }
    await addParticipants(act.db, id, [{ ...from, role: 'new' }], act.now)
    const copied = await clientAmong(act.db, { ticket: locked.ticket.id, emails: to.flatMap(allSpellings) })
    const message = await writeSideMessage(act, {
      conversationId: id,
      staffId: null,
      senderName: from.name || from.email,
      senderEmail: from.email,
      message: text,
      html: null,
      quoted,
      emailHtml: html,
      isAutomatic,
      copiesClient: copied.length > 0,
      uploads: files,
      scanState: services.scanner ? 'pending' : 'clean'
    })
    const { conversation, ticket } = locked
    // An automatic answer is none.
    const isAnswered = isAutomatic ? conversation.is_answered : true
    await settle(act.db, { id, isAnswered, now: act.now })
    const isAwaited = conversation.waits && !conversation.is_answered && !conversation.is_closed
    if (!isAutomatic && (isAwaited || (await isSnoozedForThirdParty(act.db, { ticket: ticket.id })).length > 0))
      await endSnooze(act, ticket.id, 'conversation')
    act.happened({
      kind: 'conversation.received',
      ticket: ticket.id,
      after: { conversation_id: id, side_message_id: message.id, is_automatic: isAutomatic }
    })
    return message
  })
  return written.id
}

/** Keeps in mind that the client or a follower wrote to the address of a conversation: what they wrote is in the thread. */
export const noteClientMessage = prepared((db: Db, p: { conversation: number; message: number }) =>
  db
    .updateTable('side_conversations')
    .where('id', '=', p.conversation)
    .set({ client_message_ids: sql<never>`client_message_ids || ${p.message}::bigint` })
)

const isSnoozedForThirdParty = prepared((db: Db, p: { ticket: number }) =>
  db
    .selectFrom('snoozes')
    .where('ticket_id', '=', p.ticket)
    .where('woken_at', 'is', null)
    .where('kind', '=', 'third_party')
    .select('ticket_id')
)
