import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { unansweredInThread } from '../../tickets/ticket/unanswered.ts'

/** The result of a batch: the last id that it has read, undefined for none, and how many rows it changed. */
interface Batch {
  last: number | undefined
  changed: number
}

/** Rewrites the next `limit` rows after `after`, up to `upTo`. Idempotent. */
type Rewrite = (db: Db, p: { after: number; upTo: number; limit: number }) => Promise<Batch>

/** By their names in the table `rewrites`, which migrations insert. */
export const rewritesByName: Record<string, Rewrite> = {
  'clients-of-events': async (db, p) => {
    const [batch] = await fillClients(db, p)
    return { last: batch!.last ?? undefined, changed: batch!.changed }
  },
  'unanswered-tickets': async (db, p) => {
    const [batch] = await fillUnanswered(db, p)
    return { last: batch!.last ?? undefined, changed: batch!.changed }
  }
}

/** Sets the client of an event from its ticket; if the ticket was purged meanwhile, the purge has set it. */
const fillClients = prepared((db, p: { after: number; upTo: number; limit: number }) =>
  db
    .with('batch', db =>
      db
        .selectFrom('events')
        .where('id', '>', p.after)
        .where('id', '<=', p.upTo)
        .select(['id', 'ticket_id', 'client_id'])
        .orderBy('id')
        .limit(p.limit)
    )
    .with('filled', db =>
      db
        .updateTable('events')
        .from('batch')
        .innerJoin('tickets', 'tickets.id', 'batch.ticket_id')
        .whereRef('events.id', '=', 'batch.id')
        .where('events.client_id', 'is', null)
        .set(({ ref }) => ({ client_id: ref('tickets.client_id') }))
        .returning('events.id')
    )
    .selectNoFrom([
      sql<number | null>`(select max(id) from batch)`.as('last'),
      sql<number>`(select count(*) from filled)`.as('changed')
    ])
)

/** Sets since when open tickets wait for an answer. The count of messages guards it: a message that arrives meanwhile makes it unknown again. */
const fillUnanswered = prepared((db, p: { after: number; upTo: number; limit: number }) =>
  db
    .with('batch', db =>
      db
        .selectFrom('tickets')
        .where('id', '>', p.after)
        .where('id', '<=', p.upTo)
        .select(['id', 'status', 'message_count', 'unanswered_of'])
        .orderBy('id')
        .limit(p.limit)
    )
    .with('unknown', db =>
      db
        .selectFrom('batch')
        .innerJoin('tickets', 'tickets.id', 'batch.id')
        .where('batch.status', '<>', 'Closed')
        .whereRef('batch.unanswered_of', 'is distinct from', 'batch.message_count')
        .select(['batch.id', 'batch.message_count', unansweredInThread.as('since')])
    )
    .with('noted', db =>
      db
        .updateTable('tickets')
        .from('unknown')
        .whereRef('tickets.id', '=', 'unknown.id')
        .whereRef('tickets.message_count', '=', 'unknown.message_count')
        .set(({ ref }) => ({ unanswered_since: ref('unknown.since'), unanswered_of: ref('unknown.message_count') }))
        .returning('tickets.id')
    )
    .selectNoFrom([
      sql<number | null>`(select max(id) from batch)`.as('last'),
      sql<number>`(select count(*) from noted)`.as('changed')
    ])
)
