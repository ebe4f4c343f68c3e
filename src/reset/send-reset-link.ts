import { clientByEmail, NoSuchAccount } from '../clients/client-by-email.ts'
import { holdClient } from '../clients/hold-client.ts'
import { accountKey, countGuess } from '../guessing/guesses.ts'
import { postLetter } from '../letters/post-letter.ts'
import { resetLinkLetter } from '../letters/words.ts'
import { secondsAfter } from '../lib/time.ts'
import { resetTokenSeconds } from '../limits.ts'
import { transaction } from '../platform/db/open.ts'
import { prepared } from '../platform/db/prepared.ts'
import type { Services } from '../services.ts'
import { resetLink, resetPage } from './reset-page.ts'

export interface ResetLink {
  /** As given at sign-up. The letter goes there, whatever case the caller wrote, and the link names it. */
  email: string
  token: string
  link: string
  expiresInSeconds: number
}

/**
 * Sends a client a link to choose a new password, and voids the older ones. Inactive accounts get one as well: it does
 * not let them in. Throws `NoSuchAccount`, `InvalidFields` for a bad `redirectUrl`, `TooManyAttempts`.
 */
export async function sendResetLink(
  services: Services,
  request: { email: string; redirectUrl?: string; requestId: string }
): Promise<ResetLink> {
  const { db, clock, keys, config } = services
  const page = resetPage(config, request.redirectUrl)
  const client = await clientByEmail(db, request.email)
  if (!client) throw NoSuchAccount()
  await countGuess(services, { kind: 'reset-mail', account: accountKey('client', client.id) })

  return await transaction(db, async db => {
    if (!(await holdClient(db, client.id))) throw NoSuchAccount()
    const now = clock.now()
    await voidResetTokens(db, { client: client.id, now })
    const [row] = await insertResetToken(db, {
      client_id: client.id,
      created_at: now,
      expires_at: secondsAfter(now, resetTokenSeconds)
    })
    const token = keys.sign('reset', { reset: row!.id }, now, resetTokenSeconds)
    const link = resetLink(page, token, client.email)
    await postLetter(services, db, {
      kind: 'reset-link',
      channel: 'mail',
      recipient: client.email,
      requestId: request.requestId,
      content: resetLinkLetter({ link, expiresInSeconds: resetTokenSeconds })
    })
    return { email: client.email, token, link, expiresInSeconds: resetTokenSeconds }
  })
}

const insertResetToken = prepared(
  (db, { client_id, created_at, expires_at }: { client_id: number; created_at: Date; expires_at: Date }) =>
    db.insertInto('reset_tokens').values({ client_id, created_at, expires_at }).returning('id')
)

/** Voids the client's open reset tokens. Hold the client first, or one that is being made now escapes. */
export const voidResetTokens = prepared((db, p: { client: number; now: Date }) =>
  db
    .updateTable('reset_tokens')
    .set({ voided_at: p.now })
    .where('client_id', '=', p.client)
    .where('used_at', 'is', null)
    .where('voided_at', 'is', null)
)
