import { type Db, transaction } from '../../core/db.ts'
import { resetTokenSeconds } from '../../core/limits.ts'
import { accountKey, countAttempt } from '../../core/rate-limits/attempts.ts'
import { emailBudget } from '../../core/rate-limits/outgoing.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { clientByEmail, NoSuchAccount } from '../clients/client-by-email.ts'
import type { ResetLink } from '../credentials/reset-link.ts'
import { resetPage } from '../credentials/reset-page.ts'
import { newResetLink } from './reset-link.ts'

interface SentLink extends ResetLink {
  /** As given at sign-up: recipient of the e-mail and part of the link, whatever case the caller wrote. */
  email: string
  expiresInSeconds: number
}

/**
 * Sends a client a password reset link, and voids older ones. Inactive accounts get one too: it does not let them log in. Throws
 * `NoSuchAccount`, `InvalidFields` for a bad `redirectUrl`, `TooManyAttempts`, `EmailUnconfirmed`.
 */
export async function sendResetLink(
  services: Services,
  request: { email: string; redirectUrl?: string },
  { ip, requestId }: Caller
): Promise<SentLink> {
  const { db, config } = services
  const page = resetPage(config, request.redirectUrl)
  const client = await clientByEmail(db, request.email)
  if (!client) throw NoSuchAccount()
  const owner = { population: 'client', id: client.id } as const
  const budget = emailBudget(services, accountKey('client', client.email))
  await countAttempt(services, { kind: 'reset-mail', account: accountKey('client', client.id), ip, owner }, budget)

  return await transaction(db, async db => {
    const made = await mailResetLink(services, db, client, page, requestId)
    if (!made) throw NoSuchAccount()
    return { ...made, email: client.email, expiresInSeconds: resetTokenSeconds }
  })
}

/** Creates the link and queues its e-mail within the transaction `db`. Returns and throws as `newResetLink` does. */
export async function mailResetLink(
  services: Services,
  db: Db,
  client: { id: number; email: string },
  page: URL,
  requestId: string
): Promise<ResetLink | undefined> {
  const made = await newResetLink(services, db, client, page, resetTokenSeconds)
  if (!made) return undefined
  await addToOutbox(services, db, {
    kind: 'reset-link',
    channel: 'mail',
    recipient: client.email,
    clientId: client.id,
    requestId,
    reader: { population: 'client', id: client.id },
    email: { template: 'reset-link', values: { 'reset.link': made.link, 'reset.valid_for': resetTokenSeconds } }
  })
  return made
}
