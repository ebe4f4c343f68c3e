import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { AnyDb } from './open.ts'

/** Codes of authenticator apps are good for so long. */
const oddSeconds = 30
/** From here on links, tokens and lock-outs last visibly longer or shorter than they say. */
const graveSeconds = 300

/**
 * What is wrong with this machine's clock, measured by that of the database and by what the audit log holds: undefined when nothing is.
 * The text is one sentence for the operator.
 */
export async function clockFinding({
  db,
  clock
}: {
  db: AnyDb
  clock: Clock
}): Promise<{ isGrave: boolean; text: string } | undefined> {
  const askedAt = clock.now().getTime()
  const { rows } = await sql<{ now: Date; newest: Date | null }>`
    select clock_timestamp() as now, (select created_at from audit_log order by id desc limit 1) as newest`.execute(db)
  const answeredAt = clock.now().getTime()
  const { now, newest } = rows[0]!

  // Whatever the answer took, the database looked at its clock in between.
  const ahead = (askedAt - now.getTime()) / 1000
  const behind = (now.getTime() - answeredAt) / 1000
  const offSeconds = Math.max(ahead, behind)
  if (offSeconds > oddSeconds) {
    const direction = ahead > 0 ? 'ahead of' : 'behind'
    return {
      isGrave: offSeconds > graveSeconds,
      text: `The clock of this machine is ${readableSeconds(offSeconds)} ${direction} that of the database: set both by NTP`
    }
  }
  const futureSeconds = newest ? (newest.getTime() - answeredAt) / 1000 : 0
  if (futureSeconds <= graveSeconds) return undefined
  return {
    isGrave: true,
    text: `The newest entry of the audit log is ${readableSeconds(futureSeconds)} in the future: the clock was set back, or was wrong then`
  }
}

function readableSeconds(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} minutes`
  return `${Math.round(seconds / 3600)} hours`
}
