import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'

interface Leaving {
  from: number
  to: number
  messages: readonly number[]
  notes: readonly number[]
  /** They become readable to another client. */
  isForOther: boolean
}

/**
 * Moves messages and notes with all that belongs to them: their files, the e-mails that they came by, the e-mails that told of them alone (so that
 * replies to these arrive where the message is) and the notifications that are still to be sent. To another client go neither the addresses by
 * which messages came, which would withhold them, nor pending notifications. Returns the number of files.
 */
export async function moveEntries(db: Db, leaving: Leaving): Promise<number> {
  const [moved] = await moveOut(db, leaving)
  return moved!.files
}

const moveOut = prepared((db: Db, p: Leaving) => {
  const messages = sql<number>`any(${p.messages}::bigint[])`
  // The replies among these messages of which somebody may still have to be told.
  const pending = sql<number>`any(array(
    select pending.event_id from pending_notifications as pending
    join event_places as place on place.place = pending.event_id
    join events as event on event.id = place.event_id
    where pending.ticket_id = ${p.from} and event.kind = 'ticket.replied'
      and (event.after->>'message_id')::bigint = ${messages}))`
  return (
    db
      .with('message', db =>
        db
          .updateTable('ticket_messages')
          .where('ticket_id', '=', p.from)
          .where('id', '=', messages)
          .set({
            ticket_id: p.to,
            client_email: sql<string | null>`case when not ${p.isForOther}::boolean then client_email end`
          })
      )
      .with('file', db =>
        db
          .updateTable('ticket_attachments')
          .where('ticket_id', '=', p.from)
          .where('message_id', '=', messages)
          .set({ ticket_id: p.to })
          .returning('id')
      )
      .with('note', db =>
        db
          .updateTable('ticket_notes')
          .where('ticket_id', '=', p.from)
          .where('id', '=', sql<number>`any(${p.notes}::bigint[])`)
          .set({ ticket_id: p.to })
      )
      // A side conversation about nothing but these messages goes along.
      .with('aside', db =>
        db
          .updateTable('side_conversations')
          .where('ticket_id', '=', p.from)
          .where(
            sql<boolean>`cardinality(message_ids) > 0 and message_ids <@ ${p.messages}::bigint[] and not ${p.isForOther}::boolean`
          )
          .set({ ticket_id: p.to })
          .returning('id')
      )
      .with('mail', db =>
        db
          .updateTable('inbound_mails')
          .where(
            sql<boolean>`(message_id = ${messages} or side_message_id in (
            select id from side_messages where conversation_id in (select id from aside)))`
          )
          .set({ ticket_id: p.to })
          .returning('id')
      )
      .with('sent', db =>
        db
          .updateTable('sent_emails')
          .where('ticket_id', '=', p.from)
          .where(sql<boolean>`message_ids <> '{}' and message_ids <@ ${p.messages}::bigint[]`)
          .set({ ticket_id: p.to })
          .returning('outbox_message_id')
      )
      .with('logged', db =>
        db
          .updateTable('mail_log')
          .where('ticket_id', '=', p.from)
          .where(({ or, eb, selectFrom }) =>
            or([
              eb('mail_id', 'in', selectFrom('mail').select('id')),
              eb('outbox_message_id', 'in', selectFrom('sent').select('outbox_message_id'))
            ])
          )
          .set({ ticket_id: p.to })
      )
      .with('told', db =>
        db
          .updateTable('pending_notifications')
          .where('event_id', '=', pending)
          .where(sql<boolean>`not ${p.isForOther}::boolean`)
          .set({ ticket_id: p.to })
      )
      .with('untold', db =>
        db
          .deleteFrom('pending_notifications')
          .where('event_id', '=', pending)
          .where(sql<boolean>`${p.isForOther}::boolean`)
      )
      .selectFrom('file')
      .select(({ fn }) => fn.countAll<number>().as('files'))
  )
})

/** Moves all that a ticket holds back to where it came from. Returns the number of files. */
export async function moveBack(
  db: Db,
  back: { from: number; to: number; clientEmails: Record<string, string> }
): Promise<number> {
  const [moved] = await moveAll(db, { ...back, clientEmails: JSON.stringify(back.clientEmails) })
  return moved!.files
}

const moveAll = prepared((db: Db, p: { from: number; to: number; clientEmails: string }) =>
  db
    .with('message', db =>
      db
        .updateTable('ticket_messages')
        .where('ticket_id', '=', p.from)
        .set({
          ticket_id: p.to,
          client_email: sql<string | null>`coalesce(${p.clientEmails}::jsonb ->> id::text, client_email)`
        })
    )
    .with('file', db =>
      db.updateTable('ticket_attachments').where('ticket_id', '=', p.from).set({ ticket_id: p.to }).returning('id')
    )
    .with('note', db => db.updateTable('ticket_notes').where('ticket_id', '=', p.from).set({ ticket_id: p.to }))
    .with('aside', db => db.updateTable('side_conversations').where('ticket_id', '=', p.from).set({ ticket_id: p.to }))
    .with('mail', db => db.updateTable('inbound_mails').where('ticket_id', '=', p.from).set({ ticket_id: p.to }))
    .with('sent', db => db.updateTable('sent_emails').where('ticket_id', '=', p.from).set({ ticket_id: p.to }))
    .with('logged', db => db.updateTable('mail_log').where('ticket_id', '=', p.from).set({ ticket_id: p.to }))
    .with('told', db =>
      db.updateTable('pending_notifications').where('ticket_id', '=', p.from).set({ ticket_id: p.to })
    )
    .selectFrom('file')
    .select(({ fn }) => fn.countAll<number>().as('files'))
)

/** Changes the counts of a ticket by what moved. Its time of update stays: nobody has written. */
export const changeCounts = prepared((db: Db, p: { id: number; messages: number; files: number }) =>
  db
    .updateTable('tickets')
    .where('id', '=', p.id)
    .set(eb => ({
      message_count: eb('message_count', '+', p.messages),
      attachment_count: eb('attachment_count', '+', p.files),
      // Null: the waiting time is read from the thread again.
      unanswered_of: null
    }))
)
