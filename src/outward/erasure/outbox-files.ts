import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { outboxFolder, removeFromOutbox } from '../../platform/outbox-file.ts'
import { messagesAbout, report, type StoreReport } from './stores.ts'

const batchSize = 1000

/**
 * References to the outbox files of messages about a client, for a job to remove when `db` commits: the process that requests it may not be
 * the one that wrote them.
 */
export async function discardOutboxOnCommit(
  { jobs }: Pick<Services, 'jobs'>,
  db: Db,
  client: number
): Promise<string[]> {
  const { rows } = await sql<{ reference: string }>`
    select 'message-' || id as reference from outbox_messages where ${messagesAbout(client)}
    union all
    select 'ticket-' || substr(ticket_number, 5) || '.' || thread_id from tickets where client_id = ${client}`.execute(
    db
  )
  const references = rows.map(({ reference }) => reference)
  for (let from = 0; from < references.length; from += batchSize) {
    await jobs.send(db, 'discard-outbox', { references: references.slice(from, from + batchSize) })
  }
  return references
}

/** Removes those of these files that are on this machine. */
export async function discardFromOutbox(
  { config, log }: Pick<Services, 'config' | 'log'>,
  references: readonly string[]
): Promise<StoreReport> {
  try {
    return report('outbox', { removed: await removeFromOutbox(outboxFolder(config.DATA_DIR), references) })
  } catch (error) {
    log.error({ err: error }, 'E-mails to an erased client could not be removed from the outbox yet')
    return report('outbox', { kept: references.length, reason: 'The outbox could not be read: a job removes them' })
  }
}
