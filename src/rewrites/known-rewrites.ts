import { sql } from 'kysely'
import { type Db, prepared } from '../db.ts'
import { unansweredInThread } from '../tickets/unanswered.ts'

/** What one batch did: the last id that it has seen, undefined where there was none, and how many rows it changed. */
interface Batch {
  last: number | undefined
  changed: number
}

/** Rewrites the next `limit` rows behind `after`, up to `upTo`. Done twice it changes nothing more. */
type Rewrite = (db: Db, p: { after: number; upTo: number; limit: number }) => Promise<Batch>

/** By their names in the table `rewrites`, where a migration has put them. */
export const knownRewrites: Record<string, Rewrite> = {
  'clients-of-events': async (db, p) => {
    const [batch] = await fillClients(db, p)
    return { last: batch!.last ?? undefined, changed: batch!.changed }
  },
  'unanswered-tickets': async (db, p) => {
    const [batch] = await noteUnanswered(db, p)
    return { last: batch!.last ?? undefined, changed: batch!.changed }
  }
}

/** Whose an event is, as the ticket tells; whoever has just purged the ticket has filled it in. */
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

/** Since when open tickets wait for an answer. It is of as many messages as were seen: one that comes meanwhile makes it unknown again. */
const noteUnanswered = prepared((db, p: { after: number; upTo: number; limit: number }) =>
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
