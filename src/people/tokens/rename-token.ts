import type { Actor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import type { Caller } from '../../kit/caller.ts'
import { tokenView, tokenWithId } from './api-tokens.ts'
import { lockTokensOf, TokenNameTaken } from './create-token.ts'
import { TokenNotFound } from './revoke-token.ts'

/** Gives one of the caller's API tokens another name. Throws `TokenNotFound`, `TokenNameTaken`. */
export async function renameToken(
  services: ActServices,
  { actor, caller }: { actor: Actor; caller: Caller },
  { id, name }: { id: number; name: string }
) {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const own = await lockTokensOf(db, actor)
    const former = own.find(token => token.id === id)
    if (!former) throw TokenNotFound()
    if (own.some(token => token.id !== id && !token.replaced_by && token.name === name))
      throw TokenNameTaken({ errors: ['name'] })
    await rename(db, { id, name })
    act.happened({
      kind: 'api_token.renamed',
      subject: { type: actor.population, id: actor.id },
      before: { token_id: id, name: former.name },
      after: { token_id: id, name }
    })
    return tokenView(await tokenWithId(db, id))
  })
}

const rename = prepared((db, p: { id: number; name: string }) =>
  db.updateTable('api_tokens').set({ name: p.name }).where('id', '=', p.id)
)
