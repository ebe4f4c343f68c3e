import { jobsOf, type JobRunner as Runner } from '../platform/jobs/boss.ts'
import { type HandlersOf, heartbeatSeconds, type JobSender, type Queues } from '../platform/jobs/jobs.ts'

/** The payload of each queue's jobs. */
interface JobData {
  /** Deliver one e-mail or text. */
  'deliver-message': { messageId: number }
  /** Remove files from the outbox folder by the references in their names, after a client was erased. */
  'discard-outbox': { references: string[] }
  /** Send a password reset link to the member of staff with this e-mail address, if there is one. */
  'staff-reset': { email: string; requestId: string }
  /** Warn the owner of an account, if there is one, of failed logins. */
  'warn-of-attempts': { account: string }
  /** Record failed staff logins in the audit log. Scheduled. */
  'record-sign-in-failures': Record<string, never>
  /** Add up the ticket counts of clients. Scheduled. */
  'add-up-ticket-counts': Record<string, never>
  /** Move some tickets of a department that is being deleted, and delete it once it has none. */
  'move-department': { departmentId: number }
  /** Move some people and tickets of an organisation that is being merged, and delete it once it has none. */
  'merge-organisation': { organisationId: number }
  /** Build the index by which lists are filtered by a custom field, or drop it. */
  'prepare-field-filter': { fieldId: number }
  /** Remove the values of a deleted custom field from all tickets. */
  'remove-field-values': { fieldId: number }
  /** Remove what has expired: tokens, codes, challenges, counts, finished e-mails. Scheduled. */
  sweep: Record<string, never>
  /** Have the scanner check one attachment. */
  'scan-attachment': { attachmentId: number }
  /** Remove unreferenced files, and requeue attachments whose scan was lost. Scheduled. */
  'sweep-uploads': Record<string, never>
}

export type Jobs = JobSender<JobData>
export type JobRunner = Runner<JobData>
export type JobHandlers = HandlersOf<JobData>

const hour = 3600
const day = 24 * hour

/** 13 attempts over five to six hours: after 15 to 30 s, then doubling up to an hour. */
const patient = { heartbeatSeconds, retryLimit: 12, retryDelay: 15, retryBackoff: true, retryDelayMax: hour }
/** Up to five more attempts within minutes. */
const prompt = { heartbeatSeconds, retryLimit: 5, retryDelay: 5, retryBackoff: true, expireInSeconds: 60 }
/** Kept for a day, and the workers are told of a new job. */
const told = { deleteAfterSeconds: day, notify: true }
const atOnce = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 10, batchSize: 1 }
const scheduled = { pollingIntervalSeconds: 30 }

/** The retries of each queue, and its worker. All times are in seconds. */
export const queues: Queues<JobData> = {
  'deliver-message': {
    queue: { ...patient, expireInSeconds: 120, ...told },
    // A full batch is followed by the next at once, so a backlog does not wait for the next poll.
    worker: { ...atOnce, localConcurrency: 2, batchSize: 5, burstWhenBatchFull: true }
  },
  'discard-outbox': {
    queue: { ...patient, expireInSeconds: 300, deleteAfterSeconds: hour, notify: false },
    worker: { pollingIntervalSeconds: 5, batchSize: 1 }
  },
  'staff-reset': { queue: { ...prompt, deleteAfterSeconds: hour, notify: true }, worker: atOnce },
  'warn-of-attempts': {
    queue: { ...prompt, deleteAfterSeconds: hour, notify: false },
    worker: { pollingIntervalSeconds: 10, batchSize: 1 }
  },
  'record-sign-in-failures': {
    queue: {
      heartbeatSeconds,
      retryLimit: 2,
      retryDelay: 30,
      expireInSeconds: 240,
      deleteAfterSeconds: hour,
      notify: false
    },
    worker: scheduled,
    schedule: '*/5 * * * *'
  },
  'add-up-ticket-counts': {
    queue: { heartbeatSeconds, retryLimit: 0, expireInSeconds: 600, deleteAfterSeconds: hour, notify: false },
    worker: scheduled,
    schedule: '* * * * *'
  },
  'move-department': { queue: { ...patient, expireInSeconds: 600, ...told }, worker: atOnce },
  'merge-organisation': { queue: { ...patient, expireInSeconds: 600, ...told }, worker: atOnce },
  'prepare-field-filter': { queue: { ...patient, expireInSeconds: 2 * hour, ...told }, worker: atOnce },
  'remove-field-values': { queue: { ...patient, expireInSeconds: hour, ...told }, worker: atOnce },
  sweep: {
    queue: {
      heartbeatSeconds,
      retryLimit: 2,
      retryDelay: 60,
      expireInSeconds: 900,
      deleteAfterSeconds: day,
      notify: false
    },
    worker: scheduled,
    schedule: '17 * * * *'
  },
  'scan-attachment': {
    // Retries as long as e-mails, since the scanner may be away. An attempt has more time than SCAN_TIMEOUT_SECONDS allows.
    queue: { ...patient, expireInSeconds: 900, ...told },
    worker: { ...atOnce, localConcurrency: 2 }
  },
  'sweep-uploads': {
    // Listing a large store takes long.
    queue: {
      heartbeatSeconds,
      retryLimit: 2,
      retryDelay: 300,
      expireInSeconds: 2 * hour,
      deleteAfterSeconds: day,
      notify: false
    },
    worker: scheduled,
    schedule: '41 3 * * *'
  }
}

export const openJobs = jobsOf(queues)
