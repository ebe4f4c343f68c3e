import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { AnyDb } from './any-db.ts'

/** Codes of authenticator apps are valid for this long, so from this deviation on logins fail. */
const notableSeconds = 30
/** From this deviation on, links, tokens and lock-outs visibly last longer or shorter than they should. */
const severeSeconds = 300

/**
 * What is wrong with this machine's clock, compared with the database's and the newest audit entries: one sentence for the operator, or
 * undefined.
 */
export async function clockSkew({
  db,
  clock
}: {
  db: AnyDb
  clock: Clock
}): Promise<{ isSevere: boolean; text: string } | undefined> {
  const askedAt = clock.now().getTime()
  const { rows } = await sql<{ now: Date; newest: Date | null }>`
    select clock_timestamp() as now, (select created_at from audit_log order by id desc limit 1) as newest`.execute(db)
  const answeredAt = clock.now().getTime()
  const { now, newest } = rows[0]!

  // However long the query took, the database read its clock in between.
  const ahead = (askedAt - now.getTime()) / 1000
  const behind = (now.getTime() - answeredAt) / 1000
  const offSeconds = Math.max(ahead, behind)
  if (offSeconds > notableSeconds) {
    const direction = ahead > 0 ? 'ahead of' : 'behind'
    return {
      isSevere: offSeconds > severeSeconds,
      text: `The clock of this machine is ${readableSeconds(offSeconds)} ${direction} that of the database: set both by NTP`
    }
  }
  const futureSeconds = newest ? (newest.getTime() - answeredAt) / 1000 : 0
  if (futureSeconds <= severeSeconds) return undefined
  return {
    isSevere: true,
    text: `The newest entry of the audit log is ${readableSeconds(futureSeconds)} in the future: the clock was set back, or was wrong then`
  }
}

function readableSeconds(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} minutes`
  return `${Math.round(seconds / 3600)} hours`
}
