import type { QueueOptions, WorkOptions } from 'pg-boss'
import type { AnyDb } from '../db/open.ts'

/** A process that has died is missed after that time, at the next look, and its jobs are tried again by another. */
export const heartbeatSeconds = 30

/** The queues by name, and what a job of each carries. */
export type JobData<D> = { [N in keyof D]: object }

/** How patient each queue is, and the worker that runs it. All times are in seconds. */
export type Queues<D extends JobData<D>> = Record<
  keyof D & string,
  { queue: QueueOptions & { notify: boolean }; worker: WorkOptions; schedule?: string }
>

export interface JobSender<D extends JobData<D>> {
  /** Sends a job with `db`: inside a transaction it exists only when that commits. */
  send<N extends keyof D & string>(db: AnyDb, name: N, data: D[N]): Promise<void>
}

/** Which try of a job this is: `number` counts from 1, and after the last one the job is not tried again. */
export interface Attempt {
  number: number
  isLast: boolean
}

/** What is done for a job of each queue. A throw means: try again later. */
export type HandlersOf<D> = { [N in keyof D]: (data: D[N], attempt: Attempt) => Promise<void> }
