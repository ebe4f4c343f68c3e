import { type Db, prepared } from '../../core/db.ts'
import { emailConfirmationSeconds } from '../../core/limits.ts'
import type { Services } from '../../core/services.ts'
import type { Email } from '../../core/wording/email-templates.ts'
import { failure } from '../../kit/errors.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { insertResetLink } from '../credentials/reset-link.ts'
import { resetPage } from '../credentials/reset-page.ts'
import { isSameEmail } from './same-email.ts'

// A changed address is a claim. Without this, staff who may change a client's address, or whoever has got the client's password, would have a
// reset link or the answers to tickets sent to themselves.

export const EmailUnconfirmed = failure(
  409,
  'email_unconfirmed',
  'Our support team has changed the e-mail address of this account. It must be confirmed first: by the link sent to the previous address, or by an admin'
)

interface Addressed {
  id: number
  email: string
}

/** The open change of a client's address: the address before it, which counts until the new one is proven or confirmed. */
interface OpenChange {
  former_email: string
  is_former_verified: boolean
}

/** The client's address before a change, and whether it was proven. */
export type FormerAddress = Addressed & { is_email_verified: boolean }

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
  { former, next }: { former: FormerAddress; next: string },
  changer: Changer,
  requestId: string
): Promise<void> {
  const open = await closeEmailChange(db, former.id)
  const trusted = open?.former_email ?? former.email
  const isVerified = open?.is_former_verified ?? former.is_email_verified
  if (!(await isSameEmail(db, former.email, trusted)))
    await tell(services, db, former, { template: 'email-changed', values: notReturnable }, requestId)
  if (await isSameEmail(db, next, trusted)) return
  if (changer.role === 'admin') {
    await notifyBothAddresses(services, db, { id: former.id, former: trusted, next }, changer, requestId)
    return
  }
  const now = services.realClock.now()
  const [change] = await insertChange(db, { client: former.id, email: trusted, isVerified, by: 'staff', now })
  const token = services.keys.sign('email-change', { change: change!.id }, now, emailConfirmationSeconds)
  const confirmation = {
    'confirmation.link': `${services.config.BASE_URL}/confirm-email?token=${token}`,
    'confirmation.valid_for': emailConfirmationSeconds,
    ...(await takeBackValues(services, db, { id: former.id, email: trusted, is_email_verified: isVerified }))
  }
  const email = { template: 'email-change-confirmation', values: confirmation } as const
  await tell(services, db, { id: former.id, email: trusted }, email, requestId)
}

const notReturnable = { returnable: false, 'reset.link': '', 'reset.valid_for': 0 }

/**
 * The values by which an e-mail to a former address tells how to take the account back: a link that sets the password and this address again. Not
 * for an address that was never proven: it may have been mistyped, and its owner a stranger.
 */
export async function takeBackValues(
  services: Pick<Services, 'config' | 'keys' | 'realClock'>,
  db: Db,
  { is_email_verified, ...client }: FormerAddress
) {
  if (!is_email_verified) return notReturnable
  const { link } = await insertResetLink(services, db, client, resetPage(services.config), emailConfirmationSeconds)
  return { returnable: true, 'reset.link': link, 'reset.valid_for': emailConfirmationSeconds }
}

/**
 * Keeps the former address, which the client has proven, until the new one is proven: the client has changed it with the password, which a thief
 * may have. Call it before the client is stored; the client is locked.
 */
export async function keepFormerEmail(
  services: Pick<Services, 'realClock'>,
  db: Db,
  { former, next }: { former: FormerAddress; next: string }
): Promise<void> {
  const open = await closeEmailChange(db, former.id)
  const { former_email: email, is_former_verified: isVerified } = open ?? {
    former_email: former.email,
    is_former_verified: former.is_email_verified
  }
  if (!isVerified || (await isSameEmail(db, next, email))) return
  await insertChange(db, { client: former.id, email, isVerified, by: 'client', now: services.realClock.now() })
}

/** Throws `EmailUnconfirmed` while the address that staff have given a client is unconfirmed. Lock the client first. */
export async function requireConfirmedEmail(db: Db, client: number): Promise<void> {
  const [change] = await changeOf(db, { client })
  if (change?.changed_by === 'staff') throw EmailUnconfirmed()
}

/** Removes the open change of a client's address and returns it; undefined if there was none. */
export async function closeEmailChange(db: Db, client: number): Promise<OpenChange | undefined> {
  const [change] = await removeChange(db, { client })
  return change
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
  for (const [email, isNew] of [
    [former, false],
    [next, true]
  ] as const) {
    const values = { 'admin.name': name, new_address: isNew }
    await tell(services, db, { id, email }, { template: 'email-change-confirmed', values }, requestId)
  }
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

interface NewChange {
  client: number
  email: string
  isVerified: boolean
  by: 'client' | 'staff'
  now: Date
}

const insertChange = prepared((db, p: NewChange) =>
  db
    .insertInto('email_changes')
    .values({
      client_id: p.client,
      former_email: p.email,
      is_former_verified: p.isVerified,
      changed_by: p.by,
      created_at: p.now
    })
    .returning('id')
)

const changeOf = prepared((db, p: { client: number }) =>
  db.selectFrom('email_changes').where('client_id', '=', p.client).select('changed_by')
)

const removeChange = prepared((db, p: { client: number }) =>
  db.deleteFrom('email_changes').where('client_id', '=', p.client).returning(['former_email', 'is_former_verified'])
)
