import { aSupporter } from './people.ts'
import type { Scene, Write } from './staff-writes.ts'

let serial = 0

/** By its address a write of each kind that people do with API tokens. */
export const tokenWrites: Record<string, (scene: Scene) => Promise<Write>> = {
  '/api/account/tokens/create': async ({ desk }) => ({
    by: await aSupporter(desk),
    body: { name: 'Nightly export' },
    refused: { name: 'canary', permissions: ['clients.delete'] }
  }),
  '/api/account/tokens/revoke': async ({ desk }) => {
    const by = await aSupporter(desk)
    return { by, body: { id: await aToken(desk, by) }, refused: { id: 999_999 } }
  },
  '/api/admin/tokens/revoke': async ({ desk }) => ({
    body: { id: await aToken(desk, await aSupporter(desk)) },
    refused: { id: 999_999 }
  })
}

async function aToken(desk: Scene['desk'], owner: { token: string }): Promise<number> {
  const { data } = await desk.post('/api/account/tokens/create', owner, { name: `Export ${++serial}` })
  return data.api_token.id
}
