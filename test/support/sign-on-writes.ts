import { turnTwoFactorOn } from './authenticator.ts'
import { anIdentityProvider, aProvider } from './identity-provider.ts'
import { aSupporter } from './people.ts'
import { aPasskey, made, signed } from './software-authenticator.ts'
import type { Scene, Write } from './staff-writes.ts'

let serial = 0

/** Writes of staff about how they sign in. */
export const signOnWrites: Record<string, (scene: Scene) => Promise<Write>> = {
  '/api/account/2fa/recovery-codes': async ({ desk }) => {
    const by = await aSupporter(desk)
    await turnTwoFactorOn(desk, by)
    return { by, body: { password: by.password }, refused: { password: 'wrong' } }
  },
  '/api/admin/sso/create': async () => {
    const { issuer } = await anIdentityProvider()
    const body = {
      slug: `made-${++serial}`,
      name: 'Made',
      population: 'client',
      issuer,
      client_id: 'x',
      client_secret: 'canary'
    }
    return { body, refused: { ...body, scopes: 'openid' } }
  },
  '/api/admin/sso/update': async ({ desk, admin }) => {
    const { id } = await aProvider(desk, admin, await anIdentityProvider())
    return { body: { id, name: 'Renamed' }, refused: { id: 999_999, name: 'Renamed' } }
  },
  '/api/admin/sso/delete': async ({ desk, admin }) => {
    const { id } = await aProvider(desk, admin, await anIdentityProvider())
    return { body: { id }, refused: { id: 999_999 } }
  },
  '/api/account/identities/unlink': async ({ desk, admin }) => {
    const by = await aSupporter(desk)
    const { id: provider_id } = await aProvider(desk, admin, await anIdentityProvider(), { population: 'staff' })
    const { id } = await desk.db
      .insertInto('sso_identities')
      .values({ provider_id, subject: `subject ${++serial}`, user_type: 'staff', user_id: by.id, last_used_at: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { by, body: { id }, refused: { id: 999_999 } }
  },
  '/api/account/passkeys/register': async ({ desk }) => {
    const by = await aSupporter(desk)
    const { options, challenge_id } = (await desk.post('/api/account/passkeys/options', by)).data
    const { response } = made(options)
    return { by, body: { challenge_id, response }, refused: { challenge_id: 999_999, response } }
  },
  '/api/account/passkeys/rename': async scene => {
    const { by, id } = await ownPasskey(scene)
    return { by, body: { id, name: 'Phone' }, refused: { id: 999_999, name: 'Phone' } }
  },
  '/api/account/passkeys/delete': async scene => {
    const { by, id } = await ownPasskey(scene)
    return { by, body: { id }, refused: { id: 999_999 } }
  },
  '/api/admin/auth/passkey/verify': async ({ desk }) => {
    const by = await aSupporter(desk)
    const passkey = await aPasskey(desk, by)
    const { options, challenge_id } = (await desk.post('/api/admin/auth/passkey/options')).data
    const response = signed(passkey, options)
    return { by, body: { challenge_id, response }, refused: { challenge_id: 999_999, response } }
  }
}

async function ownPasskey({ desk }: Scene) {
  const by = await aSupporter(desk)
  await aPasskey(desk, by)
  const { passkeys } = (await desk.post('/api/account/passkeys/list', by)).data
  return { by, id: passkeys[0].id as number }
}
