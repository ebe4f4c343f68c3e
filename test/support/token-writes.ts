import assert from 'node:assert/strict'
import { anApiToken } from './api-tokens.ts'
import { aSupporter } from './people.ts'
import type { Scene, Write } from './staff-writes.ts'

let serial = 0

/** By its address a write of each kind that people do with sessions and API tokens. */
export const tokenWrites: Record<string, (scene: Scene) => Promise<Write>> = {
  '/api/account/sessions/revoke': async ({ desk }) => {
    const by = await aSupporter(desk)
    const another = await desk.post('/api/admin/auth/login', undefined, { email: by.email, password: by.password })
    assert.equal(another.status, 200)
    return { by, body: { others: 1 }, refused: { id: 999_999 } }
  },
  '/api/account/tokens/create': async ({ desk }) => ({
    by: await aSupporter(desk),
    body: { name: 'Nightly export' },
    refused: { name: 'canary', permissions: ['clients.delete'] }
  }),
  '/api/account/tokens/rename': async ({ desk }) => {
    const by = await aSupporter(desk)
    return {
      by,
      body: { id: (await anApiToken(desk, by)).api_token.id, name: 'Export at night' },
      refused: { id: 999_999, name: 'canary' }
    }
  },
  '/api/account/tokens/revoke': async ({ desk }) => {
    const by = await aSupporter(desk)
    return { by, body: { id: (await anApiToken(desk, by)).api_token.id }, refused: { id: 999_999 } }
  },
  '/api/account/tokens/replace': async ({ desk }) => {
    const by = await aSupporter(desk)
    return { by, body: { id: (await anApiToken(desk, by)).api_token.id }, refused: { id: 999_999 } }
  },
  '/api/admin/service-accounts/create': async () => ({
    body: { name: `Shop ${++serial}`, permissions: ['tickets.reply'], departments: [1] },
    refused: { name: 'canary', departments: [999_999] }
  }),
  '/api/admin/service-accounts/update': async scene => ({
    body: { id: await aServiceAccount(scene), purpose: 'Orders', departments: null },
    refused: { id: 999_999, purpose: 'canary' }
  }),
  '/api/admin/service-accounts/delete': async scene => ({
    body: { id: await aServiceAccount(scene) },
    refused: { id: 999_999 }
  }),
  '/api/admin/service-accounts/tokens/create': async scene => ({
    body: { id: await aServiceAccount(scene), name: 'Nightly export' },
    refused: { id: 999_999, name: 'canary' }
  }),
  '/api/admin/service-accounts/tokens/replace': async scene => {
    const { desk, admin } = scene
    const body = { id: await aServiceAccount(scene), name: 'Nightly export' }
    const { data } = await desk.post('/api/admin/service-accounts/tokens/create', admin, body)
    return { body: { id: data.api_token.id }, refused: { id: 999_999 } }
  },
  '/api/admin/tokens/revoke': async ({ desk }) => ({
    body: { id: (await anApiToken(desk, await aSupporter(desk))).api_token.id },
    refused: { id: 999_999 }
  })
}

async function aServiceAccount({ desk, admin }: Scene): Promise<number> {
  const { data } = await desk.post('/api/admin/service-accounts/create', admin, { name: `Shop ${++serial}` })
  return data.service_account.id
}
