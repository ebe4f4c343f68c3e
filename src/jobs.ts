import { jobsOf, type JobRunner as Runner } from './platform/jobs/boss.ts'
import { type HandlersOf, heartbeatSeconds, type JobSender, type Queues } from './platform/jobs/jobs.ts'

/** The queues and what a job of each carries. */
interface JobData {
  /** Deliver one e-mail or text. */
  'deliver-letter': { letterId: number }
  /** Remove files from the outbox folder, by the references in their names: the client whom they concern was erased. */
  'discard-outbox': { references: string[] }
  /** Send whoever of the staff has this e-mail address a link to choose a new password. */
  'staff-reset': { email: string; requestId: string }
  /** Tell the owner of an account, if there is one, that somebody tries passwords for it. */
  'warn-of-guesses': { account: string }
  /** Tell the audit log of sign-ins of staff that failed. Scheduled. */
  'record-sign-in-failures': Record<string, never>
  /** Move some of the tickets of a department that is to be deleted, and delete it once there are none. */
  'move-department': { departmentId: number }
  /** Rewrite rows that a migration has left to be rewritten. */
  rewrite: Record<string, never>
  /** Remove what has expired: tokens, codes, challenges, counts, finished e-mails. Scheduled. */
  sweep: Record<string, never>
  /** Have one attachment looked into by the scanner. */
  'scan-attachment': { attachmentId: number }
  /** Remove files that no ticket names, and see to it that none waits for the scanner in vain. Scheduled. */
  'sweep-uploads': Record<string, never>
}

export type Jobs = JobSender<JobData>
export type JobRunner = Runner<JobData>
export type JobHandlers = HandlersOf<JobData>

/** The queues, how patient each is, and the worker that runs them. All times are in seconds. */
export const queues: Queues<JobData> = {
  'deliver-letter': {
    // 13 tries over five to six hours: after 15 to 30 s, then twice as long each time, an hour at most.
    queue: {
      retryLimit: 12,
      retryDelay: 15,
      retryBackoff: true,
      retryDelayMax: 3600,
      expireInSeconds: 120,
      heartbeatSeconds,
      deleteAfterSeconds: 86_400,
      notify: true
    },
    // A full batch is followed by the next at once, so a backlog never waits for the clock.
    worker: {
      pollingIntervalSeconds: 1,
      notifyPollingIntervalSeconds: 10,
      localConcurrency: 2,
      batchSize: 5,
      burstWhenBatchFull: true
    }
  },
  'discard-outbox': {
    queue: {
      retryLimit: 12,
      retryDelay: 15,
      retryBackoff: true,
      retryDelayMax: 3600,
      expireInSeconds: 300,
      heartbeatSeconds,
      deleteAfterSeconds: 3600,
      notify: false
    },
    worker: { pollingIntervalSeconds: 5, batchSize: 1 }
  },
  'staff-reset': {
    queue: {
      retryLimit: 5,
      retryDelay: 5,
      retryBackoff: true,
      expireInSeconds: 60,
      heartbeatSeconds,
      deleteAfterSeconds: 3600,
      notify: true
    },
    worker: { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 10, batchSize: 1 }
  },
  'warn-of-guesses': {
    queue: {
      retryLimit: 5,
      retryDelay: 5,
      retryBackoff: true,
      expireInSeconds: 60,
      heartbeatSeconds,
      deleteAfterSeconds: 3600,
      notify: false
    },
    worker: { pollingIntervalSeconds: 10, batchSize: 1 }
  },
  'record-sign-in-failures': {
    queue: {
      retryLimit: 2,
      retryDelay: 30,
      expireInSeconds: 240,
      heartbeatSeconds,
      deleteAfterSeconds: 3600,
      notify: false
    },
    worker: { pollingIntervalSeconds: 30 },
    schedule: '*/5 * * * *'
  },
  'move-department': {
    queue: {
      retryLimit: 12,
      retryDelay: 15,
      retryBackoff: true,
      retryDelayMax: 3600,
      expireInSeconds: 600,
      heartbeatSeconds,
      deleteAfterSeconds: 86_400,
      notify: true
    },
    worker: { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 10, batchSize: 1 }
  },
  rewrite: {
    queue: {
      retryLimit: 12,
      retryDelay: 15,
      retryBackoff: true,
      retryDelayMax: 3600,
      expireInSeconds: 600,
      heartbeatSeconds,
      deleteAfterSeconds: 86_400,
      notify: true
    },
    worker: { pollingIntervalSeconds: 10, notifyPollingIntervalSeconds: 30, batchSize: 1 }
  },
  sweep: {
    queue: {
      retryLimit: 2,
      retryDelay: 60,
      expireInSeconds: 900,
      heartbeatSeconds,
      deleteAfterSeconds: 86_400,
      notify: false
    },
    worker: { pollingIntervalSeconds: 30 },
    schedule: '17 * * * *'
  },
  'scan-attachment': {
    // As patient as e-mails are: the scanner may be away for a while. A try is longer than SCAN_TIMEOUT_SECONDS may be.
    queue: {
      retryLimit: 12,
      retryDelay: 15,
      retryBackoff: true,
      retryDelayMax: 3600,
      expireInSeconds: 900,
      heartbeatSeconds,
      deleteAfterSeconds: 86_400,
      notify: true
    },
    worker: { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 10, localConcurrency: 2, batchSize: 1 }
  },
  'sweep-uploads': {
    // Listing a large store takes its time.
    queue: {
      retryLimit: 2,
      retryDelay: 300,
      expireInSeconds: 7_200,
      heartbeatSeconds,
      deleteAfterSeconds: 86_400,
      notify: false
    },
    worker: { pollingIntervalSeconds: 30 },
    schedule: '41 3 * * *'
  }
}

export const openJobs = jobsOf(queues)
