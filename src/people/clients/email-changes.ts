import { type Db, prepared } from '../../core/db.ts'
import { emailConfirmationSeconds } from '../../core/limits.ts'
import type { Services } from '../../core/services.ts'
import type { Email } from '../../core/wording/email-templates.ts'
import { failure } from '../../kit/errors.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { isSameEmail } from './same-email.ts'

// Without this, staff who may change a client's address could have a reset link sent to themselves and take over the account.

export const EmailUnconfirmed = failure(
  409,
  'email_unconfirmed',
  'Our support team has changed the e-mail address of this account. It must be confirmed first: by the link sent to the previous address, or by an admin'
)

interface Addressed {
  id: number
  email: string
}

interface Changer {
  role: 'admin' | 'supporter'
  firstName: string
  lastName: string
}

/**
 * Marks an address that staff give a client as unconfirmed, and notifies the former one. A change by an admin is confirmed at once, and
 * both addresses are told by whom. After several changes the last confirmed address still has to confirm; changing back to it needs no
 * confirmation. Lock the client first.
 */
export async function markEmailUnconfirmed(
  services: Services,
  db: Db,
  { former, next }: { former: Addressed; next: string },
  changer: Changer,
  requestId: string
): Promise<void> {
  const trusted = (await closeEmailChange(db, former.id)) ?? former.email
  if (!(await isSameEmail(db, former.email, trusted)))
    await tell(services, db, former, { template: 'email-changed', values: {} }, requestId)
  if (await isSameEmail(db, next, trusted)) return
  if (changer.role === 'admin') {
    await notifyBothAddresses(services, db, { id: former.id, former: trusted, next }, changer, requestId)
    return
  }
  const now = services.clock.now()
  const [change] = await insertChange(db, { client: former.id, email: trusted, now })
  const token = services.keys.sign('email-change', { change: change!.id }, now, emailConfirmationSeconds)
  const confirmation = {
    'confirmation.link': `${services.config.BASE_URL}/confirm-email?token=${token}`,
    'confirmation.valid_for': emailConfirmationSeconds
  }
  const email = { template: 'email-change-confirmation', values: confirmation } as const
  await tell(services, db, { id: former.id, email: trusted }, email, requestId)
}

/** Throws `EmailUnconfirmed` while the client's address is unconfirmed. Lock the client first. */
export async function requireConfirmedEmail(db: Db, client: number): Promise<void> {
  const [change] = await changeOf(db, { client })
  if (change) throw EmailUnconfirmed()
}

/** Removes the open change of a client's address and returns the last confirmed address; undefined if there was none. */
export async function closeEmailChange(db: Db, client: number): Promise<string | undefined> {
  const [change] = await removeChange(db, { client })
  return change?.former_email
}

/** Tells both addresses which admin confirms the new one. */
export async function notifyBothAddresses(
  services: Services,
  db: Db,
  { id, former, next }: { id: number; former: string; next: string },
  admin: Pick<Changer, 'firstName' | 'lastName'>,
  requestId: string
): Promise<void> {
  // Only staff choose the names of admins.
  const name = `${admin.firstName} ${admin.lastName}`
  const content = { template: 'email-change-confirmed', values: { 'admin.name': name } } as const
  await tell(services, db, { id, email: former }, content, requestId)
  await tell(services, db, { id, email: next }, content, requestId)
}

async function tell(
  services: Services,
  db: Db,
  { id: clientId, email: recipient }: Addressed,
  email: Email,
  requestId: string
): Promise<void> {
  const reader = { population: 'client', id: clientId } as const
  await addToOutbox(services, db, {
    kind: 'email-changed',
    channel: 'mail',
    recipient,
    clientId,
    requestId,
    reader,
    email
  })
}

const insertChange = prepared((db, p: { client: number; email: string; now: Date }) =>
  db
    .insertInto('email_changes')
    .values({ client_id: p.client, former_email: p.email, created_at: p.now })
    .returning('id')
)

const changeOf = prepared((db, p: { client: number }) =>
  db.selectFrom('email_changes').where('client_id', '=', p.client).select('id')
)

const removeChange = prepared((db, p: { client: number }) =>
  db.deleteFrom('email_changes').where('client_id', '=', p.client).returning('former_email')
)
