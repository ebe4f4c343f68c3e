import { act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { sameSecret } from '../../platform/secrets/same-secret.ts'
import { removeFollower } from '../followers/remove-follower.ts'

const purpose = 'stop following'

/** The path of a page for people, which also accepts the POST of mail programs (RFC 8058). */
export const unsubscribePath = '/unsubscribe'

/** The URL at which a follower ends the e-mails about one ticket, without an account. */
export function followerUnsubscribeUrl({ keys, config }: Pick<Services, 'keys' | 'config'>, id: number): string {
  return `${config.BASE_URL}${unsubscribePath}?token=f${id}.${keys.digest(purpose, String(id))}`
}

/** The follower of a token; undefined if it is no such token, or not signed by us. */
function followerInToken(keys: Services['keys'], token: string): number | undefined {
  const [, id, digest] = /^f(\d{1,15})\.([\w-]{43})$/.exec(token) ?? []
  if (id === undefined || digest === undefined) return undefined
  return keys.digests(purpose, id).some(genuine => sameSecret(genuine, digest)) ? Number(id) : undefined
}

/** Whether a token looks like one of followers. */
export function isFollowerToken(token: string): boolean {
  return token.startsWith('f')
}

/** Ends the e-mails of a token; it is idempotent. False for an invalid token. */
export async function unfollow(services: Services, token: string, caller: Caller): Promise<boolean> {
  const follower = await followerOf(services, token)
  if (!follower) return false
  const by = {
    type: 'client',
    id: null,
    name: follower.name || 'A follower',
    ip: caller.ip.slice(0, 45),
    requestId: caller.requestId
  } as const
  await act(services, by, act => removeFollower(act, follower.answers_go_to, follower.id, 'follower'))
  return true
}

/** Whether the e-mails of this token have been ended; undefined for an invalid token. */
export async function hasUnfollowed(services: Pick<Services, 'db' | 'keys'>, token: string) {
  const follower = await followerOf(services, token)
  return follower && follower.ended_at !== null
}

async function followerOf({ db, keys }: { db: Db; keys: Services['keys'] }, token: string) {
  const id = followerInToken(keys, token)
  return id === undefined ? undefined : (await followerById(db, { id }))[0]
}

const followerById = prepared((db, p: { id: number }) =>
  db
    .selectFrom('ticket_followers as follower')
    .innerJoin('tickets', 'tickets.id', 'follower.ticket_id')
    .where('follower.id', '=', p.id)
    .select(['follower.id', 'follower.email', 'follower.name', 'follower.ended_at'])
    .select(({ fn }) => fn.coalesce('tickets.merged_into_id', 'tickets.id').as('answers_go_to'))
)
