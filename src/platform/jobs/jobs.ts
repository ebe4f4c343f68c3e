import type { QueueOptions, WorkOptions } from 'pg-boss'
import type { AnyDb } from '../db/any-db.ts'

/** How long after a process has died its jobs are considered lost, and retried by another at its next poll. */
export const heartbeatSeconds = 30

/** The payload of each queue's jobs, by the name of the queue. */
export type JobData<D> = { [N in keyof D]: object }

/** The retries of each queue, and its worker. All times are in seconds. */
export type Queues<D extends JobData<D>> = Record<
  keyof D & string,
  { queue: QueueOptions & { notify: boolean }; worker: WorkOptions; schedule?: string }
>

export interface JobSender<D extends JobData<D>> {
  /** Sends a job with `db`: within a transaction it exists only after the commit. */
  send<N extends keyof D & string>(db: AnyDb, name: N, data: D[N]): Promise<void>
}

/** Which attempt of a job this is: `number` counts from 1; after the last one the job is not retried. */
export interface Attempt {
  number: number
  isLast: boolean
}

/** The handler of each queue. A throw causes a retry. */
export type HandlersOf<D> = { [N in keyof D]: (data: D[N], attempt: Attempt) => Promise<void> }
