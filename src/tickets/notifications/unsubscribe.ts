import { system } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { auditActorOfAccount } from '../../core/audit/audit-actor.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { asciiLowerCase } from '../../lib/ascii-lower-case.ts'
import { emailInForce } from '../../people/credentials/email-in-force.ts'
import { sameSecret } from '../../platform/secrets/same-secret.ts'
import { hasUnfollowed, isFollowerToken, unfollow, unsubscribePath } from './unsubscribe-follower.ts'

export const UnknownUnsubscribeToken = failure(400, 'unknown_unsubscribe_token', 'This unsubscribe link is invalid')

/** What a client ends by a link: all e-mails that no person wrote, or only the question how our help was. */
type Ended = 'automatic_emails' | 'rating_emails'

// Part of the signature: changing one would break the links in e-mails that were sent.
const purposes: Record<Ended, string> = { automatic_emails: 'unsubscribe', rating_emails: 'unsubscribe ratings' }
const ratingsMark = 'r'

/**
 * The URL at which the recipient of a client's automatic e-mails ends them, without an account: they may be a stranger whose address somebody gave as
 * their own. It works for as long as the client has that address.
 */
export function unsubscribeUrl(
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  client: Addressed,
  ended: Ended = 'automatic_emails'
): string {
  const mark = ended === 'rating_emails' ? ratingsMark : ''
  return `${config.BASE_URL}${unsubscribePath}?token=${mark}${client.id}.${keys.digest(purposes[ended], signed(client))}`
}

/** Whether a token looks like one that ends only the question how our help was. */
export function isRatingsToken(token: string): boolean {
  return token.startsWith(ratingsMark)
}

/** Ends the e-mails of a token: those of a client that no person wrote, or all of a follower; it is idempotent. Throws `UnknownUnsubscribeToken`. */
export async function unsubscribe(services: Services, token: string, caller: Caller): Promise<void> {
  const parts = partsOf(token)
  if (isFollowerToken(token) && (await unfollow(services, token, caller))) return
  if (!parts) throw UnknownUnsubscribeToken({ errors: ['token'] })

  await act(services, system, async act => {
    const { db } = act
    const [client] = await lockedClient(db, { id: parts.id })
    if (!client || !isGenuine(services.keys, client, parts)) throw UnknownUnsubscribeToken({ errors: ['token'] })
    const { ended } = parts
    if (!client[ended]) return

    await endEmails[ended](db, { id: client.id })
    const subject = { type: 'client', id: client.id } as const
    act.happened(
      { kind: 'notifications.changed', subject, before: { [ended]: 1 }, after: { [ended]: 0 } },
      auditActorOfAccount({ ...client, population: 'client' }, caller)
    )
  })
}

/** Whether the e-mails of this token have been ended; undefined for an invalid token. Changes nothing. */
export async function isUnsubscribedBy({ db, keys }: Services, token: string): Promise<boolean | undefined> {
  if (isFollowerToken(token)) return await hasUnfollowed({ db, keys }, token)
  const parts = partsOf(token)
  const [client] = parts ? await clientById(db, { id: parts.id }) : []
  if (!parts || !client || !isGenuine(keys, client, parts)) return undefined
  return !client[parts.ended]
}

interface Parts {
  ended: Ended
  id: number
  digest: string
}

function partsOf(token: string): Parts | undefined {
  const [, mark, id, digest] = /^(r?)(\d{1,15})\.([\w-]{43})$/.exec(token) ?? []
  if (id === undefined || digest === undefined) return undefined
  return { ended: mark === ratingsMark ? 'rating_emails' : 'automatic_emails', id: Number(id), digest }
}

function isGenuine(keys: Services['keys'], client: Addressed, { ended, digest }: Parts): boolean {
  return keys.digests(purposes[ended], signed(client)).some(genuine => sameSecret(genuine, digest))
}

interface Addressed {
  id: number
  email: string
}

function signed({ id, email }: Addressed): string {
  return `${id}\n${asciiLowerCase(email)}`
}

const clientById = prepared((db, p: { id: number }) =>
  db
    .selectFrom('clients')
    .where('id', '=', p.id)
    .select(['id', emailInForce.as('email'), 'automatic_emails', 'rating_emails'])
)

const lockedClient = prepared((db, p: { id: number }) =>
  db
    .selectFrom('clients')
    .where('id', '=', p.id)
    .select(['id', emailInForce.as('email'), 'first_name', 'last_name', 'automatic_emails', 'rating_emails'])
    .forNoKeyUpdate()
)

const endEmails = {
  automatic_emails: prepared((db, p: { id: number }) =>
    db.updateTable('clients').where('id', '=', p.id).set({ automatic_emails: false })
  ),
  rating_emails: prepared((db, p: { id: number }) =>
    db.updateTable('clients').where('id', '=', p.id).set({ rating_emails: false })
  )
}
