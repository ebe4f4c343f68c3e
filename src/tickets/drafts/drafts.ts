import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import type { DraftRecipients } from '../../core/tables/sending.ts'
import { failure } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { timestamp } from '../../lib/time.ts'
import { partsOf } from '../followers/followers.ts'
import { replyTarget } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { TicketNotFound } from '../ticket/ticket-for.ts'
import { deskVisibility } from '../ticket/visibility.ts'

export const DraftGone = failure(409, 'draft_gone', 'The draft is gone: its reply was sent, or it was deleted')

export const DraftNotFound = failure(404, 'draft_not_found', 'There is no such draft, or the desk does not share it')

export interface GivenDraft {
  message: string
  recipients: DraftRecipients
}

/** Nothing of a draft is told to anybody. */
function asWriter(actor: StaffActor) {
  return { actor, caller: { ip: null, requestId: null } }
}

/** The ticket whose thread a draft answers. Throws `TicketNotFound`. */
export async function answeredTicket(db: Db, actor: StaffActor, ref: TicketRef): Promise<number> {
  const ticket = await replyTarget(db, deskVisibility(actor), ref)
  if (!ticket) throw TicketNotFound()
  return ticket.id
}

/**
 * Stores the actor's draft in a ticket, in place of a former one. Throws `TicketNotFound`, and `VersionConflict` if it has changed elsewhere, or is gone
 * because the reply was sent.
 */
export async function saveDraft(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  actor: StaffActor,
  ref: TicketRef,
  { message, recipients }: GivenDraft,
  expectedVersion: number | undefined
) {
  const ticket = await answeredTicket(db, actor, ref)
  return await act({ db, clock }, asWriter(actor), async ({ db }) => {
    await writing(db, { ticket, staff: actor.id })
    const [former] = await storedDraft(db, { ticket, staff: actor.id })
    if (former) requireVersion(former.version, expectedVersion)
    else if (expectedVersion !== undefined) throw DraftGone()
    const version = (former?.version ?? 0) + 1
    const now = clock.now()
    const given = {
      ticket: former?.ticket_id ?? ticket,
      staff: actor.id,
      message,
      recipients: JSON.stringify(recipients),
      version,
      now
    }
    await storeDraft(db, given)
    return draftView({ message, recipients, version, updated_at: now })
  })
}

/** The actor's draft in a ticket; null without one. Throws `TicketNotFound`. */
export async function draftOf(db: Db, actor: StaffActor, ref: TicketRef) {
  const [draft] = await storedDraft(db, { ticket: await answeredTicket(db, actor, ref), staff: actor.id })
  return draft ? draftView(draft) : null
}

/** Throws `TicketNotFound`, `VersionConflict`. */
export async function deleteDraft(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  actor: StaffActor,
  ref: TicketRef,
  expectedVersion: number | undefined
): Promise<void> {
  const ticket = await answeredTicket(db, actor, ref)
  await act({ db, clock }, asWriter(actor), async ({ db }) => {
    const [former] = await storedDraft(db, { ticket, staff: actor.id })
    if (!former) return
    requireVersion(former.version, expectedVersion)
    await removeDraft(db, { ticket, staff: actor.id })
  })
}

/** Who has begun a reply in a ticket; the text only where the desk shares it. */
export async function draftsIn(db: Db, ticket: number) {
  const found = await draftsOfTicket(db, { ticket })
  const isShared = found.length > 0 && (await settingsOf(db)).settings.share_drafts === 1
  return found.map(({ id, first_name, last_name, updated_at, message }) => ({
    by: { id, first_name, last_name },
    updated_at: timestamp(updated_at),
    ...(isShared ? { message } : {})
  }))
}

/** A reply that did not go is a draft again, before what its writer has begun since. */
export async function restoreDraft(
  db: Db,
  { ticket, staff, message, recipients }: { ticket: number; staff: number } & GivenDraft,
  now: Date
): Promise<void> {
  await writing(db, { ticket, staff })
  const [since] = await storedDraft(db, { ticket, staff })
  const text = since?.message.trim() ? `${message}\n\n${since.message}` : message
  const version = (since?.version ?? 0) + 1
  const place = since?.ticket_id ?? ticket
  await storeDraft(db, { ticket: place, staff, message: text, recipients: JSON.stringify(recipients), version, now })
}

function draftView({ message, recipients, version, updated_at }: GivenDraft & { version: number; updated_at: Date }) {
  const { from = null, to = null, cc = null, bcc = [], cc_once = [], format = 'plain' } = recipients
  return { version, updated_at: timestamp(updated_at), message, format, from, to, cc, bcc, cc_once }
}

/** Two windows of one writer save one after the other. */
const writing = prepared((db, p: { ticket: number; staff: number }) =>
  db.selectNoFrom(
    sql<null>`pg_advisory_xact_lock(hashtextextended('draft ' || ${p.ticket}::bigint || ' ' || ${p.staff}::bigint, 0))`.as(
      'locked'
    )
  )
)

/** One that was begun before its ticket was merged stays with it, and comes after that of the ticket that shows the thread. */
function draftsOfWriter(db: Db, p: { ticket: number; staff: number }) {
  return db
    .selectFrom('ticket_drafts')
    .where('ticket_id', '=', partsOf(p.ticket))
    .where('staff_id', '=', p.staff)
    .orderBy(sql`ticket_id = ${p.ticket}::bigint`, 'desc')
    .orderBy('updated_at', 'desc')
    .orderBy('ticket_id')
    .limit(1)
}

export const storedDraft = prepared((db, p: { ticket: number; staff: number }) =>
  draftsOfWriter(db, p).select(['ticket_id', 'message', 'recipients', 'version', 'updated_at'])
)

interface Stored {
  ticket: number
  staff: number
  message: string
  recipients: string
  version: number
  now: Date
}

const storeDraft = prepared((db, p: Stored) =>
  db
    .insertInto('ticket_drafts')
    .values({
      ticket_id: p.ticket,
      staff_id: p.staff,
      message: p.message,
      recipients: p.recipients,
      version: p.version,
      updated_at: p.now
    })
    .onConflict(conflict =>
      conflict.columns(['ticket_id', 'staff_id']).doUpdateSet({
        message: sql`excluded.message`,
        recipients: sql`excluded.recipients`,
        version: sql`excluded.version`,
        updated_at: sql`excluded.updated_at`
      })
    )
)

/** The reply was sent: there is nothing to go on with. */
export const removeDraft = prepared((db, p: { ticket: number; staff: number }) =>
  db
    .deleteFrom('ticket_drafts')
    .where('ticket_id', '=', draftsOfWriter(db, p).select('ticket_id'))
    .where('staff_id', '=', p.staff)
)

const draftsOfTicket = prepared((db, p: { ticket: number }) =>
  db
    .selectFrom('ticket_drafts as draft')
    .innerJoin('staff', 'staff.id', 'draft.staff_id')
    .where('draft.ticket_id', '=', partsOf(p.ticket))
    .select(['staff.id', 'staff.first_name', 'staff.last_name', 'draft.updated_at', 'draft.message'])
    .orderBy('draft.updated_at', 'desc')
    .limit(50)
)
