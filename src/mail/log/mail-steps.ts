import { sql } from 'kysely'
import type { MailStep } from '../../core/tables/mail-log.ts'

/** A step without its time, which is that of the write. */
export type NewStep = Omit<MailStep, 'at'>

export function stepOf(step: MailStep['step'], reason?: string | null): NewStep {
  return { step, ...(reason ? { reason } : {}) }
}

/** Steps as they are stored, at this time. */
export function asSteps(steps: readonly NewStep[], now: Date): string {
  return JSON.stringify(steps.map(step => ({ ...step, at: now.toISOString() })))
}

/** A row has at most so many steps: an e-mail may be processed again any number of times. */
const maxSteps = 100

/** The steps of a row with these after them. */
export const withSteps = (steps: string) =>
  sql<string>`case when jsonb_array_length(mail_log.steps) < ${sql.lit(maxSteps)} then mail_log.steps || ${steps}::jsonb else mail_log.steps end`
