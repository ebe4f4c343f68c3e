import { retireEvents } from './core/events/retire-events.ts'
import type { JobHandlers } from './core/jobs.ts'
import type { Services } from './core/services.ts'
import { sweepPictures } from './help/articles/pictures.ts'
import { reconcileBacklog } from './insight/facts/reconcile-backlog.ts'
import { sweepMails } from './intake/mailbox/sweep-mails.ts'
import { secondsAfter } from './lib/time.ts'
import { outboxJobs } from './mail/outbox/jobs.ts'
import { scrubErased } from './outward/erasure/scrub-erased.ts'
import { sweepWebhooks } from './outward/webhooks/sweep.ts'
import { authHandlers } from './people/auth/jobs.ts'
import { moveDepartment, resumeMoves } from './people/departments/move-department.ts'
import { continueMerge, resumeMerges } from './people/organisations/merge-organisations.ts'
import { addUpOrganisationTickets } from './people/organisations/ticket-counts.ts'
import { resetHandlers } from './people/reset/jobs.ts'
import { notifyOfEnds } from './people/tokens/notify-of-ends.ts'
import { reasonOf } from './platform/db/wait-for-database.ts'
import { attachmentHandlers } from './tickets/attachments/jobs.ts'
import { prepareFilter, resumeFilters } from './tickets/fields/prepare-filter.ts'
import { removeFieldValues, resumeFieldRemovals } from './tickets/fields/remove-field-values.ts'
import { addUpTicketCounts } from './tickets/ticket/client-ticket-counts.ts'

const daySeconds = 86_400

/** What is done for each kind of job. */
export function jobHandlers(services: Services): JobHandlers {
  const { db, clock, config } = services
  const emails = outboxJobs(services)
  return {
    ...emails,
    ...authHandlers(services),
    ...resetHandlers(services),
    ...attachmentHandlers(services),
    'add-up-ticket-counts': () => doAll([() => addUpTicketCounts(db), () => addUpOrganisationTickets(db)]),
    'move-department': ({ departmentId }) => moveDepartment(services, departmentId),
    'merge-organisation': ({ organisationId }) => continueMerge(services, organisationId),
    'prepare-field-filter': ({ fieldId }) => prepareFilter(services, fieldId),
    'remove-field-values': ({ fieldId }) => removeFieldValues(services, fieldId),
    sweep: (...job) =>
      doAll([
        () => emails.sweep(...job),
        () => resumeMoves(services),
        () => resumeMerges(services),
        () => resumeFieldRemovals(services),
        () => resumeFilters(services),
        () => scrubErased(services),
        () => retireEvents(db, secondsAfter(clock.now(), -config.EVENT_RETENTION_DAYS * daySeconds)),
        () => sweepWebhooks(services),
        () => sweepMails(services),
        () => notifyOfEnds(services),
        () => sweepPictures(db, clock.now()),
        () => reconcileBacklog(services)
      ])
  }
}

/** Does each part in turn, also after one has failed; then throws what failed. */
async function doAll(parts: (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const part of parts) await part().catch(error => errors.push(error))
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, errors.map(reasonOf).join('; '))
}
