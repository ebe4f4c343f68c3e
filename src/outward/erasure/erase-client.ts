import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { redactClient } from '../../core/audit/redact-audit.ts'
import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { erasedName, nameOf, refuseErased } from '../../people/clients/erased.ts'
import { isSameEmail } from '../../people/clients/same-email.ts'
import { unusablePassword } from '../../people/clients/unusable-password.ts'
import { afterCommit, isOuterTransaction } from '../../platform/db/outer-transaction.ts'
import { removeFiles } from '../../tickets/attachments/remove-files.ts'
import { anonymizeEverything } from './anonymize-rows.ts'
import { requireAllVisible } from './hidden-tickets.ts'
import { type LockedClientData, resetLockTimeout, withClientDataLocked } from './lock-client-data.ts'
import { discardFromOutbox, discardOutboxOnCommit } from './outbox-files.ts'
import { removeEverything } from './remove-rows.ts'
import { countRows, filesOfTickets, report, type StoreReport } from './stores.ts'

/** `cascade`: deletes the client and all that belongs to them. `anonymize`: removes the personal data, and keeps the tickets. */
type ErasureMode = 'cascade' | 'anonymize'

interface ErasureOrder {
  id: number
  mode: ErasureMode
  /** The client's e-mail address, as confirmation against erasing another one by mistake. */
  confirm_email: string
  expected_version?: number
}

/** The audit event of each mode. */
export const removed = 'client.deleted'
export const anonymized = 'client.anonymized'

/**
 * Erases a client, and reports for every store what was removed. Files are deleted after the commit: if that fails, no row names them any
 * more, and the sweep removes them. Throws `ClientNotFound`, `TicketsHidden`, `ClientErased`, `VersionConflict`, `InvalidFields` for
 * another address.
 */
export async function eraseClient(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  { id, mode, confirm_email, expected_version }: ErasureOrder
): Promise<StoreReport[]> {
  const password = mode === 'anonymize' ? await unusablePassword(services.passwords) : undefined

  const { stores, paths, references } = await withClientDataLocked(
    services,
    { actor, caller },
    id,
    async (act, everything) => {
      const { db } = act
      // All of them are locked, so that none moves elsewhere after this check.
      await requireAllVisible(db, actor, id)
      requireVersion(everything.version, expected_version)
      await refuseOther(db, everything, confirm_email)
      if (mode === 'anonymize') refuseErased(everything)
      const { now } = act
      const paths = await filesOf(db, everything)
      // Pending events are sequenced into the audit log now, so that none is left behind.
      await resetLockTimeout(db)
      await services.events.sequenceWithin(db)
      const references = await discardOutboxOnCommit(services, db, id)
      const stores = password
        ? await anonymizeEverything(db, everything, { password, now })
        : await removeEverything(db, everything)
      const log = await redactedLog(services, db, everything)
      const after = Object.fromEntries(stores.map(store => [store.store, store.removed + store.anonymized]))
      const subject = { type: 'client', id } as const
      act.happened(password ? { kind: anonymized, subject, after } : { kind: removed, subject, after })
      return { stores: [...stores, log], paths, references }
    }
  )

  return [
    ...stores,
    ...(await discardEverywhere(services, { paths, references, isAnonymized: password !== undefined }))
  ]
}

interface LeftBehind {
  paths: string[]
  references: string[]
  isAnonymized: boolean
}

/** Removes data outside the database, once no row names it; in an outer transaction, which has not committed yet, later. */
async function discardEverywhere(services: Services, { paths, references, isAnonymized }: LeftBehind) {
  const theirs = report('files', { kept: paths.length, reason: 'They belong to the tickets' })
  if (!isOuterTransaction(services.db)) {
    const files = isAnonymized ? theirs : await discardFiles(services, paths)
    return [files, await discardFromOutbox(services, references)]
  }
  await afterCommit(services.db, async db => {
    if (!isAnonymized) await discardFiles({ ...services, db }, paths)
    await discardFromOutbox(services, references)
  })
  const reason = 'They are removed together, after this answer was kept; what is left then the sweep removes'
  return [isAnonymized ? theirs : report('files', { removed: paths.length, reason }), report('outbox', { reason })]
}

async function refuseOther(db: Db, { email }: LockedClientData, confirmed: string): Promise<void> {
  if (await isSameEmail(db, confirmed, email)) return
  throw InvalidFields({
    message: 'confirm_email is not the e-mail address of this client',
    errors: ['confirm_email']
  })
}

async function filesOf(db: Db, { tickets }: LockedClientData): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    select file_path as path from ticket_attachments where ${filesOfTickets(tickets)} order by id`.execute(db)
  return rows.map(({ path }) => path)
}

async function redactedLog({ keys }: Services, db: Db, { id, tickets }: LockedClientData): Promise<StoreReport> {
  const anonymized = await redactClient(keys, db, id, nameOf(erasedName))
  const all = await countRows(
    db,
    'audit_log',
    sql`(target_type = 'client' and target_id = ${id}) or (actor_type = 'client' and actor_id = ${id})
      or (target_type = 'ticket' and target_id = any(${tickets}::bigint[]))`
  )
  const reason =
    'Who did what must stay provable: the log has ids and times, and digests in place of what told of the person. What is kept as it ' +
    'was told nothing of them'
  return report('audit_log', { anonymized, kept: all - anonymized, reason })
}

async function discardFiles(services: Services, paths: string[]): Promise<StoreReport> {
  try {
    await removeFiles(services, paths)
    return report('files', { removed: paths.length })
  } catch (error) {
    services.log.error({ err: error, files: paths.length }, 'The files of an erased client could not be removed yet')
    return report('files', {
      kept: paths.length,
      reason: 'The file store could not remove them: the nightly cleanup will, and nobody can download them meanwhile'
    })
  }
}
