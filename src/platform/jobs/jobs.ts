import type { Db } from '../db/open.ts'

/** The queues and what a job of each carries. */
interface JobData {
  /** Deliver one e-mail or text. */
  'deliver-letter': { letterId: number }
  /** Remove files from the outbox folder, by the references in their names: the client whom they concern was erased. */
  'discard-outbox': { references: string[] }
  /** Send whoever of the staff has this e-mail address a link to choose a new password. */
  'staff-reset': { email: string; requestId: string }
  /** Tell the owner of an account, if there is one, that its password is being guessed at. */
  'warn-of-guesses': { account: string }
  /** Tell the audit log of sign-ins of staff that failed. Scheduled. */
  'record-sign-in-failures': Record<string, never>
  /** Move some of the tickets of a department that is to be deleted, and delete it once there are none. */
  'move-department': { departmentId: number }
  /** Remove what has expired: tokens, codes, challenges, counts, finished e-mails. Scheduled. */
  sweep: Record<string, never>
  /** Have one attachment looked into by the scanner. */
  'scan-attachment': { attachmentId: number }
  /** Remove files that no ticket names, and see to it that none waits for the scanner in vain. Scheduled. */
  'sweep-uploads': Record<string, never>
}
export type JobName = keyof JobData

export interface Jobs {
  /** Sends a job with `db`: inside a transaction it exists only when that commits. */
  send<N extends JobName>(db: Db, name: N, data: JobData[N]): Promise<void>
}

/** Which try of a job this is: `number` counts from 1, and after the last one the job is not tried again. */
export interface Attempt {
  number: number
  isLast: boolean
}

/** What is done for a job of each queue. A throw means: try again later. */
export type JobHandlers = { [N in JobName]: (data: JobData[N], attempt: Attempt) => Promise<void> }
