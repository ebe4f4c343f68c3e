import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { secondsAfter } from '../../lib/time.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import type { HoldReason } from './hold-reasons.ts'

const hourSeconds = 3_600
/** The most automatic mails of one sender, and into one ticket, in an hour: more come from a loop of automatic replies. */
const maxAutomaticPerSender = 20
const maxAutomaticPerTicket = 20
const maxAcknowledgements = 5
const warningKind = 'staff-mail-limit'

/** Which limit a mail exceeds, as a slug; undefined for none. */
export async function limitReached(
  services: Services,
  { sender, ticket, isAutomatic }: { sender: string; ticket: number | undefined; isAutomatic: boolean }
): Promise<HoldReason | undefined> {
  const { db, config, clock } = services
  const since = secondsAfter(clock.now(), -hourSeconds)
  const [ofSender] = await takenFrom(db, { sender, since })
  const [ofTicket] = ticket === undefined ? [] : await takenInto(db, { ticket, since })
  const isBeyond = (count: number | undefined, limit: number) => limit > 0 && (count ?? 0) >= limit
  if (isAutomatic && isBeyond(ofSender?.automatic, maxAutomaticPerSender)) return 'too_many_automatic'
  if (isAutomatic && isBeyond(ofTicket?.automatic, maxAutomaticPerTicket)) return 'too_many_automatic'
  if (isBeyond(ofSender?.all, config.MAX_MAILS_PER_SENDER)) return 'too_many_from_sender'
  if (isBeyond(ofTicket?.all, config.MAX_MAILS_PER_TICKET)) return 'too_many_in_ticket'
  if (config.MAX_MAILS_AN_HOUR === 0) return undefined
  const [all] = await takenAtAll(db, { since, most: config.MAX_MAILS_AN_HOUR })
  return isBeyond(all?.all, config.MAX_MAILS_AN_HOUR) ? 'too_many' : undefined
}

/** Whether the sender of a new ticket gets an acknowledgement; rate-limited, since a program may open any number of tickets. */
export async function mayAcknowledge({ db, clock }: Services, sender: string): Promise<boolean> {
  const [opened] = await openedBy(db, { sender, since: secondsAfter(clock.now(), -hourSeconds) })
  return (opened?.all ?? 0) < maxAcknowledgements
}

/** Warns the admins, at most once an hour, that mails are held because of a rate limit. */
export async function warnOfLimit(services: Services, reason: HoldReason): Promise<void> {
  const { db, clock, log } = services
  log.error({ reason }, 'Incoming e-mails are held: the rate limit is exceeded')
  const [warned] = await lastWarning(db, { kind: warningKind, since: secondsAfter(clock.now(), -hourSeconds) })
  if (warned) return
  for (const { id, email: recipient } of await admins(db, {})) {
    await addToOutbox(services, db, {
      kind: warningKind,
      channel: 'mail',
      recipient,
      reader: { population: 'staff', id },
      email: { template: 'staff-mail-limit', values: {} }
    })
  }
}

const counts = [
  sql<number>`count(*)`.as('all'),
  sql<number>`count(*) filter (where is_automatic)`.as('automatic')
] as const

function taken(db: Db, since: Date) {
  return db.selectFrom('inbound_mails').where('received_at', '>', since).where('state', 'in', ['ticket', 'reply'])
}

const takenFrom = prepared((db, p: { sender: string; since: Date }) =>
  taken(db, p.since).where(sql`lower(sender)`, '=', sql`lower(${p.sender})`).select(counts)
)

const takenInto = prepared((db, p: { ticket: number; since: Date }) =>
  taken(db, p.since).where('ticket_id', '=', p.ticket).select(counts)
)

const takenAtAll = prepared((db, p: { since: Date; most: number }) =>
  db.selectFrom(taken(db, p.since).select('id').limit(p.most).as('some')).select(sql<number>`count(*)`.as('all'))
)

const openedBy = prepared((db, p: { sender: string; since: Date }) =>
  taken(db, p.since)
    .where(sql`lower(sender)`, '=', sql`lower(${p.sender})`)
    .where('state', '=', 'ticket')
    .select(sql<number>`count(*)`.as('all'))
)

const lastWarning = prepared((db, p: { kind: string; since: Date }) =>
  db.selectFrom('outbox_messages').where('kind', '=', p.kind).where('created_at', '>', p.since).select('id').limit(1)
)

export const admins = prepared(db =>
  db
    .selectFrom('staff')
    .where('role', '=', 'admin')
    .where('is_active', '=', true)
    .select(['id', 'email'])
    .orderBy('id')
    .limit(50)
)
