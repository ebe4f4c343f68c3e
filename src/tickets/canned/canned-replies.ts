import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { CannedReplyRow } from '../../core/tables/canned.ts'
import { failure } from '../../kit/errors.ts'
import { Flag, Id, LongText, Name, Nullable, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { bit } from '../../lib/bit.ts'
import type { Page } from '../../lib/page.ts'
import { timestamp } from '../../lib/time.ts'

export const CannedReplyNotFound = failure(404, 'canned_reply_not_found', 'There is no such canned reply')

/** A page of the actor's own and the shared canned replies whose title or text contains `search`, by title, and their number. */
export async function cannedReplies(
  db: Db,
  actor: StaffActor,
  search: string | undefined,
  { limit, offset }: Page
): Promise<{ replies: CannedReplyRow[]; total: number }> {
  const pattern = `%${(search ?? '').replaceAll(/[\\%_]/g, '\\$&')}%`
  const scope = { staff: actor.id, pattern }
  const [replies, [counted]] = await Promise.all([page(db, { ...scope, limit, offset }), count(db, scope)])
  return { replies, total: counted!.total }
}

/** The canned reply with this id, if it is the actor's own or shared. Throws `CannedReplyNotFound`. */
export async function cannedReply(db: Db, actor: StaffActor, id: number): Promise<CannedReplyRow> {
  const [reply] = await byId(db, { id, staff: actor.id })
  if (!reply) throw CannedReplyNotFound()
  return reply
}

/** The same, locked until the transaction ends. */
export async function lockedCannedReply(db: Db, actor: StaffActor, id: number): Promise<CannedReplyRow> {
  const [reply] = await byIdLocked(db, { id, staff: actor.id })
  if (!reply) throw CannedReplyNotFound()
  return reply
}

export const cannedReplyFields = {
  title: Name(100, 'Turn it off and on'),
  text: LongText(20_000, 'Dear {{client.first_name}}, please turn it off and on again. {{staff.first_name}}')
}

export const CannedReplyView = Type.Object({
  id: Id(),
  title: OutputText('Turn it off and on'),
  text: OutputText('Dear {{client.first_name}}, please turn it off and on again. {{staff.first_name}}'),
  is_shared: Flag(0),
  staff_id: Nullable(Id(2)),
  version: Version,
  created_at: Timestamp(),
  updated_at: Timestamp()
})

export function cannedReplyView(reply: CannedReplyRow): Static<typeof CannedReplyView> {
  return {
    ...reply,
    is_shared: bit(reply.staff_id === null),
    created_at: timestamp(reply.created_at),
    updated_at: timestamp(reply.updated_at)
  }
}

export const cannedReplyColumns = ['id', 'staff_id', 'title', 'text', 'created_at', 'updated_at', 'version'] as const

const visible = (db: Db, p: { staff: number }) =>
  db.selectFrom('canned_replies').where(({ or, eb }) => or([eb('staff_id', 'is', null), eb('staff_id', '=', p.staff)]))

const matching = (db: Db, p: { staff: number; pattern: string }) =>
  visible(db, p).where(({ or, eb }) => or([eb('title', 'ilike', p.pattern), eb('text', 'ilike', p.pattern)]))

const page = prepared((db, p: { staff: number; pattern: string; limit: number; offset: number }) =>
  matching(db, p).select(cannedReplyColumns).orderBy(sql`lower(title)`).orderBy('id').limit(p.limit).offset(p.offset)
)

const count = prepared((db, p: { staff: number; pattern: string }) =>
  matching(db, p).select(({ fn }) => fn.countAll<number>().as('total'))
)

const byId = prepared((db, p: { id: number; staff: number }) =>
  visible(db, p).where('id', '=', p.id).select(cannedReplyColumns)
)

const byIdLocked = prepared((db, p: { id: number; staff: number }) =>
  visible(db, p).where('id', '=', p.id).select(cannedReplyColumns).forNoKeyUpdate()
)
