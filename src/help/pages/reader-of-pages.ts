import { type Actor, accountName } from '../../core/actor.ts'
import { restrictionOf } from '../../core/endpoint.ts'
import type { Services } from '../../core/services.ts'
import { readerCookieNames } from '../../core/sessions/page-sessions.ts'
import { actorOfSession } from '../../core/sessions/session-of.ts'
import type { HttpCaller } from '../../kit/caller.ts'

type World = Pick<Services, 'db' | 'keys' | 'realClock'>

/** A reader of the pages who is signed in. */
export interface PageReader {
  actor: Actor
  session: number
}

/** Who reads the pages, by the cookie that is good for nothing else (K10). Who is signed in as both is staff. */
export async function readerOfPages(services: World, { cookies }: Pick<HttpCaller, 'cookies'>) {
  const given = cookies()
  for (const name of readerCookieNames) {
    const reader = given[name] === undefined ? undefined : await readerOfToken(services, 'help-reader', given[name])
    if (reader) return reader
  }
  return undefined
}

/** Who gives an answer by the form of a page: the cookie is for reading alone. */
export async function readerOfForm(services: World, token: string): Promise<PageReader | undefined> {
  return await readerOfToken(services, 'help-answer', token)
}

/** What the form of a page says of its reader. */
export function formToken({ keys, realClock }: Pick<World, 'keys' | 'realClock'>, { actor, session }: PageReader) {
  const { population, id: account } = actor
  return keys.sign('help-answer', { population, account, session }, realClock.now(), formSeconds)
}

const formSeconds = 86_400

/** Whose token a page has, and in which half of a token's life it was made: a kept page is made anew before it ends. */
export function formReader({ realClock }: Pick<World, 'realClock'>, { actor, session }: PageReader): string {
  return `${accountName(actor)} ${session} ${Math.floor(realClock.now().getTime() / 1000 / (formSeconds / 2))}`
}

async function readerOfToken(
  { db, keys, realClock }: World,
  kind: 'help-reader' | 'help-answer',
  token: string
): Promise<PageReader | undefined> {
  const claims = keys.verify(kind, token, realClock.now())
  const actor = claims && (await actorOfSession(db, claims))
  return actor && restrictionOf(actor) === undefined ? { actor, session: claims.session } : undefined
}
