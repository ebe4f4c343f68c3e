import { setTimeout as pause } from 'node:timers/promises'
import { type Db, prepared, transaction } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { rewritesByName } from './known-rewrites.ts'

type RewriteServices = Pick<Services, 'db' | 'clock' | 'jobs'>

/** The rows per transaction, whose locks others may wait for. */
const batchSize = 1000
/** After this many batches another job continues, so that none keeps a process from stopping. */
const batchesOfJob = 50
/** The pause between batches, for other work. */
const restMilliseconds = 20

/**
 * Rewrites rows that a migration has left, batch by batch. Each batch is committed, so the next job continues after an interruption. Two
 * concurrent jobs never work on the same rewrite.
 */
export async function runRewrites({ db, clock, jobs }: RewriteServices): Promise<void> {
  for (let batch = 0; batch < batchesOfJob; batch++) {
    const outcome = await transaction(db, db => rewriteSome(db, clock.now()))
    if (outcome !== 'more') return
    await pause(restMilliseconds)
  }
  await jobs.send(db, 'rewrite', {})
}

/** Queues a job if there is something to rewrite. */
export async function resumeRewrites({ db, jobs }: RewriteServices): Promise<void> {
  if ((await unfinished(db, {})).length > 0) await jobs.send(db, 'rewrite', {})
}

/** The progress of each unfinished rewrite. */
export async function rewriteProgress(db: Db) {
  return await unfinished(db, {})
}

async function rewriteSome(db: Db, now: Date): Promise<'more' | 'done' | 'busy'> {
  const [rewrite] = await lockedRewrite(db, {})
  if (!rewrite) return (await unfinished(db, {})).length > 0 ? 'busy' : 'done'
  const { name, done_to: after, up_to: upTo } = rewrite
  const work = rewritesByName[name]
  if (!work) throw new Error(`The rewrite ${name} is not known: it belongs to a newer version`)
  const { last, changed } = await work(db, { after, upTo, limit: batchSize })
  const isOver = last === undefined || last >= upTo
  await note(db, { name, doneTo: last ?? upTo, changed, now, finishedAt: isOver ? now : null })
  return 'more'
}

const unfinished = prepared(db =>
  db.selectFrom('rewrites').where('finished_at', 'is', null).select(['name', 'done_to', 'up_to']).orderBy('name')
)

const lockedRewrite = prepared(db =>
  db
    .selectFrom('rewrites')
    .where('finished_at', 'is', null)
    .select(['name', 'done_to', 'up_to'])
    .orderBy('name')
    .limit(1)
    .forUpdate()
    .skipLocked()
)

const note = prepared((db, p: { name: string; doneTo: number; changed: number; now: Date; finishedAt: Date | null }) =>
  db
    .updateTable('rewrites')
    .where('name', '=', p.name)
    .set(({ eb }) => ({
      done_to: p.doneTo,
      rows_changed: eb('rows_changed', '+', p.changed),
      worked_at: p.now,
      finished_at: p.finishedAt
    }))
)
