import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Population } from '../../core/tables/columns.ts'

// The open streams, shared by all processes. Times are the database's, so that clocks of processes need not agree.

/** A process with no heartbeat for this long is gone, and its streams with it. */
const goneSeconds = 20
/** How often a process sends its heartbeat. */
export const heartbeatMilliseconds = 5_000

export interface StreamRow {
  id: string
  process_id: string
  population: Population
  account_id: number
}

/** Takes one of the `max` streams that an account may have, in whichever processes they are; false where all are taken. */
export async function claimStream(db: Db, row: StreamRow, max: number): Promise<boolean> {
  const [answer] = await claim(db, { ...row, max })
  return answer!.taken
}

/** Releases streams, and with the last one of a member of staff also their presence. */
export async function releaseStreams(db: Db, ids: readonly string[], staff: readonly number[]): Promise<void> {
  await remove(db, { ids })
  // A separate statement, so that it sees what other processes have released by now.
  if (staff.length > 0) await leave(db, { staff })
}

/** Writes the heartbeat of this process, and inserts its streams again if others have removed them. */
export async function sendHeartbeat(db: Db, process: string, streams: readonly StreamRow[]): Promise<void> {
  await upsertProcess(db, { process })
  const [{ count }] = (await countOfProcess(db, { process })) as [{ count: number }]
  if (count < streams.length) await insertAgain(db, { rows: JSON.stringify(streams) })
  await removeGone(db, {})
}

const claim = prepared((db, p: StreamRow & { max: number }) =>
  db.selectNoFrom(
    sql<boolean>`take_event_stream(${p.id}, ${p.process_id}, ${p.population}, ${p.account_id}, ${p.max}, ${lasting(goneSeconds)})`.as(
      'taken'
    )
  )
)

const remove = prepared((db, p: { ids: readonly string[] }) =>
  db.deleteFrom('event_streams').where('id', '=', sql<string>`any(${p.ids}::uuid[])`)
)

const leave = prepared((db, p: { staff: readonly number[] }) =>
  db
    .deleteFrom('presences')
    .where('staff_id', '=', sql<number>`any(${p.staff}::bigint[])`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('event_streams')
            .innerJoin('stream_processes', 'stream_processes.id', 'process_id')
            .where('population', '=', sql.lit('staff'))
            .whereRef('account_id', '=', 'presences.staff_id')
            .where('seen_at', '>', ago(goneSeconds))
            .select('event_streams.id')
        )
      )
    )
)

const upsertProcess = prepared((db, p: { process: string }) =>
  db
    .insertInto('stream_processes')
    .values({ id: p.process, seen_at: sql`now()` })
    .onConflict(conflict => conflict.column('id').doUpdateSet({ seen_at: sql`now()` }))
)

const countOfProcess = prepared((db, p: { process: string }) =>
  db
    .selectFrom('event_streams')
    .where('process_id', '=', p.process)
    .select(({ fn }) => fn.countAll<number>().as('count'))
)

/** The tables are unlogged, so they are empty after a crash of the database. */
const insertAgain = prepared((db, p: { rows: string }) =>
  db
    .insertInto('event_streams')
    .columns(['id', 'process_id', 'population', 'account_id'])
    .expression(db =>
      db
        .selectFrom(
          sql<StreamRow>`json_to_recordset(${p.rows}::json)`.as<'row'>(
            sql`row (id uuid, process_id uuid, population varchar, account_id bigint)`
          )
        )
        .select(['row.id', 'row.process_id', 'row.population', 'row.account_id'])
    )
    .onConflict(conflict => conflict.column('id').doNothing())
)

const removeGone = prepared(db => db.deleteFrom('stream_processes').where('seen_at', '<', ago(3 * goneSeconds)))

function ago(seconds: number) {
  return sql<Date>`now() - ${lasting(seconds)}`
}

function lasting(seconds: number) {
  return sql`${sql.lit(`${seconds} seconds`)}::interval`
}
