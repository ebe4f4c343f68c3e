import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { SlaClockRow, StoredTicketState } from '../../core/tables/sla-clocks.ts'
import type { SlaClock, SlaFacts, TicketClocks } from './clock-types.ts'

/**
 * What is stored of these tickets, by id; nothing of those that were never read. With `lock` nobody else changes them until the transaction ends.
 * Of the clocks that have ended it is the last one of the solution alone: the ticket may be reopened.
 */
export async function storedTickets(
  db: Db,
  ids: readonly number[],
  { lock = false } = {}
): Promise<Map<number, TicketClocks>> {
  if (ids.length === 0) return new Map()
  const states = await (lock ? lockedStates : statesOf)(db, { ids })
  const rows = await (lock ? lockedClocks : clocksOf)(db, { ids })
  const clocks = Map.groupBy(rows, ({ ticket_id }) => ticket_id)
  return new Map(
    states.map(({ ticket_id, state }) => [
      ticket_id,
      // Only `storeTickets` writes it.
      { ...(state as StoredTicketState & { facts: SlaFacts }), clocks: (clocks.get(ticket_id) ?? []).map(clockOf) }
    ])
  )
}

const mostEnded = 100

/** The newest clocks of a ticket that have ended, at most a hundred. */
export async function endedClocks(db: Db, ticket: number): Promise<SlaClock[]> {
  return (await endedOf(db, { ticket })).map(clockOf)
}

/** Stores tickets with their clocks. Returns the ids of those that were not deleted meanwhile. */
export async function storeTickets(db: Db, tickets: ReadonlyMap<number, TicketClocks>): Promise<number[]> {
  const rows = [...tickets].map(([ticket_id, { clocks: _, ...state }]) => ({ ticket_id, state }))
  const written = await writeStates(db, { rows: JSON.stringify(rows) })
  const clocks = [...tickets].flatMap(([ticket_id, { clocks }]) => clocks.map(clock => rowOf(ticket_id, clock)))
  const [added, known] = [clocks.filter(({ id }) => id === null), clocks.filter(({ id }) => id !== null)]
  // Before those that take their place: a ticket has one running clock of a kind.
  if (known.length > 0) await updateClocks(db, { rows: JSON.stringify(known) })
  if (added.length > 0) await insertClocks(db, { rows: JSON.stringify(added) })
  return written.map(({ ticket_id }) => ticket_id)
}

/** A clock as it is computed with: instants in milliseconds. */
function clockOf({ ticket_id: _, state: __, ...row }: SlaClockRow): SlaClock {
  const { started_at, runs_since, due_at, soon_at, warn_at, warned_at, breached_at, ended_at, ...others } = row
  return {
    ...others,
    started_at: started_at.getTime(),
    runs_since: millisecondsOf(runs_since),
    due_at: millisecondsOf(due_at),
    soon_at: millisecondsOf(soon_at),
    warn_at: millisecondsOf(warn_at),
    warned_at: millisecondsOf(warned_at),
    breached_at: millisecondsOf(breached_at),
    ended_at: millisecondsOf(ended_at)
  }
}

function millisecondsOf(at: Date | null): number | null {
  return at?.getTime() ?? null
}

function rowOf(ticket_id: number, clock: SlaClock) {
  const { started_at, runs_since, due_at, soon_at, warn_at, warned_at, breached_at, ended_at, ...others } = clock
  return {
    ...others,
    ticket_id,
    state: clock.pause_reason === null ? 'running' : 'paused',
    started_at: instantOf(started_at),
    runs_since: instantOf(runs_since),
    due_at: instantOf(due_at),
    soon_at: instantOf(soon_at),
    warn_at: instantOf(warn_at),
    warned_at: instantOf(warned_at),
    breached_at: instantOf(breached_at),
    ended_at: instantOf(ended_at)
  }
}

function instantOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}

interface Tickets {
  ids: readonly number[]
}

const statesOf = prepared((db, p: Tickets) => states(db, p))
const lockedStates = prepared((db, p: Tickets) => states(db, p).forUpdate())

function states(db: Db, p: Tickets) {
  return db
    .selectFrom('sla_tickets')
    .where('ticket_id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['ticket_id', 'state'])
    .orderBy('ticket_id')
}

const clocksOf = prepared((db, p: Tickets) => openClocks(db, p))
const lockedClocks = prepared((db, p: Tickets) => openClocks(db, p).forUpdate())

/** Those that have not ended, and the last one of the solution. */
function openClocks(db: Db, p: Tickets) {
  return db
    .selectFrom('sla_clocks')
    .where('ticket_id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .where(({ or, eb }) =>
      or([
        eb('ended_at', 'is', null),
        eb('metric', '=', sql.lit('resolution' as const)).and(
          sql<boolean>`not exists (select from sla_clocks as later where later.ticket_id = sla_clocks.ticket_id
            and later.metric = 'resolution' and later.id > sla_clocks.id)`
        )
      ])
    )
    .select(clockColumns)
    .orderBy('id')
}

const endedOf = prepared((db, p: { ticket: number }) =>
  db
    .selectFrom('sla_clocks')
    .where('ticket_id', '=', p.ticket)
    .where('ended_at', 'is not', null)
    .select(clockColumns)
    .orderBy('id', 'desc')
    .limit(sql.lit(mostEnded))
)

const clockColumns = [
  'id',
  'ticket_id',
  'metric',
  'policy_id',
  'policy_version',
  'priority',
  'calendar_id',
  'target_minutes',
  'started_at',
  'started_by',
  'ledger',
  'counted_ms',
  'runs_since',
  'state',
  'pause_reason',
  'due_at',
  'soon_at',
  'warn_at',
  'warned_at',
  'breached_at',
  'ended_at',
  'ended_by',
  'outcome',
  'turns'
] as const

const writeStates = prepared((db, p: { rows: string }) =>
  db
    .insertInto('sla_tickets')
    .columns(['ticket_id', 'state'])
    .expression(db =>
      db
        .selectFrom(
          sql<{ ticket_id: number; state: string }>`json_to_recordset(${p.rows}::json)`.as<'written'>(
            sql`written(ticket_id bigint, state jsonb)`
          )
        )
        .innerJoin('tickets', 'tickets.id', 'written.ticket_id')
        .select(['tickets.id', 'written.state'])
        .orderBy('tickets.id')
        .forKeyShare('tickets')
    )
    .onConflict(conflict => conflict.column('ticket_id').doUpdateSet({ state: sql`excluded.state` }))
    .returning('ticket_id')
)

type WrittenClock = { [Column in (typeof clockColumns)[number]]: never }

function writtenClocks(rows: string) {
  return sql<WrittenClock>`json_to_recordset(${rows}::json)`.as<'written'>(sql`written(
    id bigint, ticket_id bigint, metric text, policy_id bigint, policy_version integer, priority text, calendar_id bigint,
    target_minutes integer, started_at timestamptz, started_by bigint, ledger jsonb, counted_ms bigint,
    runs_since timestamptz, state text, pause_reason text, due_at timestamptz, soon_at timestamptz, warn_at timestamptz,
    warned_at timestamptz, breached_at timestamptz, ended_at timestamptz, ended_by bigint, outcome text, turns jsonb)`)
}

const changing = clockColumns.filter(column => !['id', 'ticket_id', 'metric', 'started_by'].includes(column))
const inserted = clockColumns.filter(column => column !== 'id')

const updateClocks = prepared((db, p: { rows: string }) =>
  db
    .updateTable('sla_clocks')
    .from(writtenClocks(p.rows))
    .whereRef('sla_clocks.id', '=', 'written.id')
    .set(Object.fromEntries(changing.map(column => [column, sql.ref(`written.${column}`)])))
)

const insertClocks = prepared((db, p: { rows: string }) =>
  db
    .insertInto('sla_clocks')
    .columns(inserted)
    .expression(db =>
      db
        .selectFrom(writtenClocks(p.rows))
        // Otherwise a ticket that is being deleted would be refused by the foreign key.
        .innerJoin('tickets', 'tickets.id', 'written.ticket_id')
        .select(inserted.map(column => `written.${column}` as const))
        .orderBy('tickets.id')
        .forKeyShare('tickets')
    )
)
