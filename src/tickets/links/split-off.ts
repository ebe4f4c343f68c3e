import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { partsOf } from '../followers/followers.ts'

/** Whether this message was split off a ticket, or one that was merged into it. */
export async function wasSplitOff(db: Db, ticket: number, message: number): Promise<boolean> {
  return (await splitWith(db, { ticket, message })).length > 0
}

const splitWith = prepared((db: Db, p: { ticket: number; message: number }) =>
  db
    .selectFrom('ticket_splits')
    .where('source_id', '=', partsOf(p.ticket))
    .where(sql<boolean>`${p.message}::bigint = any(message_ids)`)
    .where('undone_at', 'is', null)
    .select('id')
    .limit(1)
)

/**
 * The ticket that was split off this one, also by way of others, and has the message to which a mail with these references replies. The nearest
 * reference that belongs to any ticket decides.
 */
export async function splitOffWith(db: Db, ticket: number, references: readonly string[]): Promise<number | undefined> {
  if (references.length === 0) return undefined
  const sent = references.map(reference => reference.split('@', 1)[0]!)
  const [found] = await answered(db, { ticket, references, sent })
  return found?.is_split_off ? found.ticket_id : undefined
}

const answered = prepared((db: Db, p: { ticket: number; references: readonly string[]; sent: readonly string[] }) =>
  db
    .withRecursive('part', db =>
      db
        .selectFrom('ticket_splits')
        .where('source_id', '=', partsOf(p.ticket))
        .where('undone_at', 'is', null)
        .select('target_id as id')
        .union(db =>
          db
            .selectFrom('ticket_splits')
            .innerJoin('part', 'part.id', 'ticket_splits.source_id')
            .where('undone_at', 'is', null)
            .select('target_id as id')
        )
    )
    .selectFrom(
      sql<{ ticket_id: number; place: number }>`(
        select sent.ticket_id, cited.place
        from unnest(${p.sent}::text[]) with ordinality as cited (ref, place)
        join sent_emails as sent on sent.ref = cited.ref
        union all
        select mail.ticket_id, cited.place
        from unnest(${p.references}::text[]) with ordinality as cited (ref, place)
        join inbound_mails as mail on mail.message_ref = cited.ref and mail.side_message_id is null)`.as('known')
    )
    // Most tickets have never been split.
    .where(({ exists, selectFrom }) => exists(selectFrom('part').select('part.id')))
    .where('known.ticket_id', 'is not', null)
    .select([
      'known.ticket_id',
      sql<boolean>`exists (select from part where part.id = known.ticket_id)`.as('is_split_off')
    ])
    .orderBy('known.place')
    .limit(1)
)
