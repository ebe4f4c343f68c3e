import { hasPermission, type StaffActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import type { CannedReplyRow } from '../../core/tables/canned.ts'
import type { Caller } from '../../kit/caller.ts'
import { Forbidden } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { cannedReplyColumns, lockedCannedReply } from './canned-replies.ts'
import { refuseUnknown } from './placeholders.ts'

/** Creates a personal or shared canned reply. Throws `UnknownPlaceholder`, `Forbidden`. */
export async function createCannedReply(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { title, text, is_shared = 0 }: { title: string; text: string; is_shared?: 0 | 1 }
): Promise<CannedReplyRow> {
  const staffId = is_shared ? null : actor.id
  requireMayWrite(actor, staffId)
  refuseUnknown(text)

  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const [reply] = await insertReply(db, { staffId, title, text, now: act.now })
    act.happened({ kind: 'canned_reply.created', subject: subjectOf(reply!), after: factsOf(reply!) })
    return reply!
  })
}

/**
 * Changes the given fields. To share a personal one, or to make a shared one personal, the actor needs the permissions for both. Throws
 * `CannedReplyNotFound`, `Forbidden`, `UnknownPlaceholder`, `VersionConflict`.
 */
export async function updateCannedReply(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  changes: { id: number; title?: string; text?: string; is_shared?: 0 | 1; expected_version?: number }
): Promise<CannedReplyRow> {
  const { id, title, text, is_shared, expected_version } = changes
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const former = await lockedCannedReply(db, actor, id)
    const staffId = is_shared === undefined ? former.staff_id : is_shared ? null : actor.id
    for (const owner of [former.staff_id, staffId]) requireMayWrite(actor, owner)
    requireVersion(former.version, expected_version)
    if (text !== undefined) refuseUnknown(text)

    const wanted = { staffId, title: title ?? former.title, text: text ?? former.text }
    const hasNewText = wanted.text !== former.text
    if (!hasNewText && wanted.title === former.title && staffId === former.staff_id) return former

    const [reply] = await rewrite(db, { id, ...wanted, now: act.now })
    act.happened({
      kind: 'canned_reply.updated',
      subject: subjectOf(former),
      before: factsOf(former),
      // Whether the text was changed, not the text itself: the audit log is kept for ever.
      after: { ...factsOf(reply!), ...(hasNewText ? { text_changed: true } : {}) }
    })
    return reply!
  })
}

/** Permanently deletes a canned reply. Throws `CannedReplyNotFound`, `Forbidden`, `VersionConflict`. */
export async function deleteCannedReply(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version }: { id: number; expected_version?: number }
): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const { db } = act
    const former = await lockedCannedReply(db, actor, id)
    requireMayWrite(actor, former.staff_id)
    requireVersion(former.version, expected_version)
    await remove(db, { id })
    act.happened({ kind: 'canned_reply.deleted', subject: subjectOf(former), before: factsOf(former) })
  })
}

function requireMayWrite(actor: StaffActor, staffId: number | null): void {
  if (!hasPermission(actor, staffId === null ? 'tickets.edit_status' : 'tickets.reply')) throw Forbidden()
}

function subjectOf({ id }: CannedReplyRow) {
  return { type: 'canned_reply', id } as const
}

function factsOf({ title, staff_id }: CannedReplyRow) {
  return { title, is_shared: staff_id === null }
}

interface Written {
  staffId: number | null
  title: string
  text: string
  now: Date
}

const insertReply = prepared((db, p: Written) =>
  db
    .insertInto('canned_replies')
    .values({ staff_id: p.staffId, title: p.title, text: p.text, created_at: p.now, updated_at: p.now })
    .returning(cannedReplyColumns)
)

const rewrite = prepared((db, p: Written & { id: number }) =>
  db
    .updateTable('canned_replies')
    .where('id', '=', p.id)
    .set({ staff_id: p.staffId, title: p.title, text: p.text, updated_at: p.now })
    .returning(cannedReplyColumns)
)

const remove = prepared((db, p: { id: number }) => db.deleteFrom('canned_replies').where('id', '=', p.id))
