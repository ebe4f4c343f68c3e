import { sql } from 'kysely'
import { hasPermission, type StaffActor, system } from '../../core/actor.ts'
import { type Act, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { BlockedSenderRow } from '../../core/tables/mails.ts'
import { Forbidden, failure } from '../../kit/errors.ts'
import type { Page } from '../../lib/page.ts'
import { blockedNames, namesOf } from '../../mail/support-addresses/blocked-names.ts'
import { baseAddress } from '../../mail/support-addresses/support-addresses.ts'
import { discardHeldOf } from './discard-mails.ts'
import { requireAllTickets } from './held-mails.ts'

export const SenderAlreadyBlocked = failure(409, 'sender_already_blocked', 'This sender is blocked already')
export const BlockedSenderNotFound = failure(404, 'blocked_sender_not_found', 'There is no such blocked sender')
export const TooManyBlocked = failure(
  409,
  'too_many_blocked_senders',
  'The maximum number of blocked senders is reached'
)

/** The reason stored when a mail is dropped. */
export const blockedReason = 'blocked_sender'

const most = 10_000

export type BlockedSender = Pick<BlockedSenderRow, 'id' | 'sender' | 'created_at'> & {
  first_name: string | null
  last_name: string | null
  staff_id: number | null
}

/**
 * Whether mails of these addresses are dropped: the address is blocked itself, with or without its plus part, or its domain or a parent domain
 * is.
 */
export async function isBlocked(db: Db, addresses: readonly string[]): Promise<boolean> {
  return (await blockedNames(db, addresses)).length > 0
}

/** Those of these people who are not blocked. */
export async function notBlocked<P extends { email: string }>(db: Db, people: readonly P[]): Promise<P[]> {
  const emails = people.map(({ email }) => email)
  const blocked = new Set(await blockedNames(db, emails))
  return people.filter(({ email }) => !namesOf(email).some(name => blocked.has(name)))
}

/**
 * Blocks an address, or with a leading @ a domain, which needs an admin. With `discardHeld`, held mails of that sender are discarded. Returns
 * how many were.
 */
export async function blockSender(
  services: Services,
  actor: StaffActor,
  caller: Origin,
  { sender: given, discardHeld }: { sender: string; discardHeld: boolean }
): Promise<{ blocked: BlockedSender; discarded: number }> {
  const sender = given.startsWith('@') ? given.toLowerCase() : baseAddress(given)
  requireRightTo(actor, sender)
  return await act(services, { actor, caller }, async act => {
    const [blocked] = await insertBlocked(act.db, { sender, staff: actor.id, now: act.now })
    if (!blocked) throw SenderAlreadyBlocked()
    if ((await countBlocked(act.db, {}))[0]!.count > most) throw TooManyBlocked()
    act.happened({
      kind: 'mail.sender_blocked',
      subject: { type: 'blocked_sender', id: blocked.id },
      after: scopeOf(sender)
    })
    const discarded = discardHeld ? await discardHeldOf(act, actor, sender) : 0
    const { firstName: first_name, lastName: last_name, id: staff_id } = actor
    return { blocked: { ...blocked, first_name, last_name, staff_id }, discarded }
  })
}

/** Blocks the address of a sender because a rule says so; nothing happens if it is blocked, or if there is no room for more. */
export async function blockSenderByRule(
  services: Services,
  address: string,
  { rule_id, name }: { rule_id: number; name: string }
): Promise<void> {
  const cause = { rule_id, name, event_id: null, chain_id: null, depth: 0 }
  const work = async (act: Act) => {
    if ((await countBlocked(act.db, {}))[0]!.count >= most) return
    const sender = baseAddress(address)
    const [blocked] = await insertBlocked(act.db, { sender, staff: null, now: act.now })
    if (!blocked) return
    const subject = { type: 'blocked_sender', id: blocked.id } as const
    act.happened({ kind: 'mail.sender_blocked', subject, after: scopeOf(sender) })
  }
  await act(services, system, work, cause)
}

/** Unblocks a sender. Throws `BlockedSenderNotFound`. */
export async function unblockSender(services: Services, actor: StaffActor, caller: Origin, id: number): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const [former] = await deleteBlocked(act.db, { id })
    if (!former) throw BlockedSenderNotFound()
    requireRightTo(actor, former.sender)
    act.happened({
      kind: 'mail.sender_unblocked',
      subject: { type: 'blocked_sender', id },
      before: scopeOf(former.sender)
    })
  })
}

/** A page of the blocked senders that contain `search`, newest first, and how many there are. */
export async function blockedSenders(
  db: Db,
  actor: StaffActor,
  search: string | undefined,
  { limit, offset }: Page
): Promise<{ blocked: BlockedSender[]; total: number }> {
  requireAllTickets(actor)
  const pattern = `%${(search ?? '').toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
  const [blocked, [counted]] = await Promise.all([
    blockedPage(db, { pattern, limit, offset }),
    countBlockedLike(db, { pattern })
  ])
  return { blocked, total: counted!.count }
}

/** A domain may have many users, so only admins block one. */
function requireRightTo(actor: StaffActor, sender: string): void {
  requireAllTickets(actor)
  if (sender.startsWith('@') && actor.role !== 'admin') {
    throw Forbidden({ message: 'Only admins may block a whole domain or take it again' })
  }
  if (!hasPermission(actor, 'tickets.edit_status')) throw Forbidden({ lacks: ['tickets.edit_status'] })
}

/** The address belongs to a person, whom the audit log must not name. */
function scopeOf(sender: string): object {
  return sender.startsWith('@') ? { domain: sender.slice(1) } : { address: 'one' }
}

const insertBlocked = prepared((db, p: { sender: string; staff: number | null; now: Date }) =>
  db
    .insertInto('blocked_senders')
    .values({ sender: p.sender, blocked_by: p.staff, created_at: p.now })
    .onConflict(conflict => conflict.doNothing())
    .returning(['id', 'sender', 'created_at'])
)

const deleteBlocked = prepared((db: Db, p: { id: number }) =>
  db.deleteFrom('blocked_senders').where('id', '=', p.id).returning('sender')
)

const countBlocked = prepared(db => db.selectFrom('blocked_senders').select(sql<number>`count(*)`.as('count')))

const countBlockedLike = prepared((db, p: { pattern: string }) =>
  db
    .selectFrom('blocked_senders')
    .where(sql<boolean>`sender like ${p.pattern} escape '\\'`)
    .select(sql<number>`count(*)`.as('count'))
)

const blockedPage = prepared((db, p: { pattern: string; limit: number; offset: number }) =>
  db
    .selectFrom('blocked_senders as blocked')
    .leftJoin('staff', 'staff.id', 'blocked.blocked_by')
    .where(sql<boolean>`sender like ${p.pattern} escape '\\'`)
    .select(['blocked.id', 'blocked.sender', 'blocked.created_at'])
    .select(['staff.id as staff_id', 'staff.first_name', 'staff.last_name'])
    .orderBy('blocked.id', 'desc')
    .limit(p.limit)
    .offset(p.offset)
)
