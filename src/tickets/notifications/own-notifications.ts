import { type Static, Type } from 'typebox'
import type { Actor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { InvalidFields, Unauthenticated } from '../../kit/errors.ts'
import { Flag } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'

/**
 * E-mails that a client may turn off: all about tickets, those that no person wrote, such as the confirmation of a new ticket, or of these the
 * question how our help was. Those about the safety of the account always come.
 */
const ClientNotifications = Type.Object({ ticket_emails: Flag(), automatic_emails: Flag(), rating_emails: Flag() })

/** E-mails that a member of staff may turn off. */
const StaffNotifications = Type.Object({
  assignment_emails: Flag(),
  mention_emails: Flag(),
  customer_reply_emails: Flag()
})

export const NotificationChanges = Type.Partial(
  Type.Object({ ...ClientNotifications.properties, ...StaffNotifications.properties })
)
export const OwnNotifications = Type.Union([ClientNotifications, StaffNotifications])

type Changes = Static<typeof NotificationChanges>

/** The caller's e-mail preferences after these changes. Throws `InvalidFields` for e-mails that the caller never gets. */
export async function setOwnNotifications(
  services: Services,
  actor: Actor,
  changes: Changes,
  caller: Caller
): Promise<Static<typeof OwnNotifications>> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  const foreign = given.map(([name]) => name).filter(name => !(name in shapeOf(actor).properties))
  if (foreign.length > 0) {
    throw InvalidFields({ message: `These e-mails are not yours to choose: ${foreign.join(', ')}`, errors: foreign })
  }
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const before = await notificationsOf(db, actor)
    if (!before) throw Unauthenticated({ headers: { 'www-authenticate': 'Bearer' } })
    const after: typeof before = { ...before, ...Object.fromEntries(given) }
    const changed = given.filter(([name, value]) => before[name as keyof typeof before] !== value)
    if (changed.length === 0) return after

    await store(db, actor, after)
    act.happened({
      kind: 'notifications.changed',
      subject: { type: actor.population, id: actor.id },
      before: Object.fromEntries(changed.map(([name]) => [name, before[name as keyof typeof before]])),
      after: Object.fromEntries(changed)
    })
    return after
  })
}

function shapeOf(actor: Actor) {
  return actor.population === 'client' ? ClientNotifications : StaffNotifications
}

/** Locks the row until the transaction ends. */
async function notificationsOf(
  db: Db,
  { population, id }: Actor
): Promise<Static<typeof OwnNotifications> | undefined> {
  const [row] = population === 'client' ? await lockedClient(db, { id }) : await lockedMember(db, { id })
  return row && (Object.fromEntries(Object.entries(row).map(([name, value]) => [name, bit(value)])) as never)
}

async function store(db: Db, { id }: Actor, emails: Static<typeof OwnNotifications>): Promise<void> {
  if ('ticket_emails' in emails) {
    await storeClient(db, {
      id,
      tickets: emails.ticket_emails === 1,
      automatic: emails.automatic_emails === 1,
      ratings: emails.rating_emails === 1
    })
  } else {
    await storeMember(db, {
      id,
      assignments: emails.assignment_emails === 1,
      mentions: emails.mention_emails === 1,
      replies: emails.customer_reply_emails === 1
    })
  }
}

const lockedClient = prepared((db, p: { id: number }) =>
  db
    .selectFrom('clients')
    .where('id', '=', p.id)
    .select(['ticket_emails', 'automatic_emails', 'rating_emails'])
    .forNoKeyUpdate()
)

const lockedMember = prepared((db, p: { id: number }) =>
  db
    .selectFrom('staff')
    .where('id', '=', p.id)
    .select(['assignment_emails', 'mention_emails', 'customer_reply_emails'])
    .forNoKeyUpdate()
)

const storeClient = prepared((db, p: { id: number; tickets: boolean; automatic: boolean; ratings: boolean }) =>
  db
    .updateTable('clients')
    .where('id', '=', p.id)
    .set({ ticket_emails: p.tickets, automatic_emails: p.automatic, rating_emails: p.ratings })
)

const storeMember = prepared((db, p: { id: number; assignments: boolean; mentions: boolean; replies: boolean }) =>
  db
    .updateTable('staff')
    .where('id', '=', p.id)
    .set({ assignment_emails: p.assignments, mention_emails: p.mentions, customer_reply_emails: p.replies })
)
