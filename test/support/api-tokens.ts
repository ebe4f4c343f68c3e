import assert from 'node:assert/strict'
import type { Desk } from './desk.ts'

let serial = 0

/** An API token as its owner is told of it, once. */
export interface ApiToken {
  token: string
  api_token: { id: number; name: string; last_four: string }
}

/** An API token of this owner. */
export async function anApiToken(desk: Desk, owner: { token: string }, given: object = {}): Promise<ApiToken> {
  const body = { name: `t${++serial}`, ...given }
  const { status, body: answer, data } = await desk.post('/api/account/tokens/create', owner, body)
  assert.equal(status, 201, JSON.stringify(answer))
  return data
}
