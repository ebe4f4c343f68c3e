import type { QueueOptions, WorkOptions } from 'pg-boss'
import type { JobName } from './jobs.ts'

// A process that has died is missed after that time, at the next look, and its jobs are tried again by another.
const heartbeatSeconds = 30
export const lookForDeadEverySeconds = 15

/** The queues, how patient each is, and the worker that runs them. All times are in seconds. */
export const queues: Record<
  JobName,
  { queue: QueueOptions & { notify: boolean }; worker: WorkOptions; schedule?: string }
> = {
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
export const names = Object.keys(queues) as JobName[]
