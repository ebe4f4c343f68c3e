import assert from 'node:assert/strict'

// What people do who know nothing of a service but its address.

/** Whether it works; answers the status. */
export async function check(url: string, requestId: string): Promise<number> {
  // A connection of its own: one that is kept stays with its process.
  const headers = { 'x-request-id': requestId, connection: 'close' }
  return (await fetch(`${url}/api/check`, { method: 'POST', headers })).status
}

export async function ask(url: string, path: string, body: object, token?: string, more: Record<string, string> = {}) {
  const headers = {
    'content-type': 'application/json',
    ...more,
    ...(token ? { authorization: `Bearer ${token}` } : {})
  }
  return await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** Makes a client and logs them in. */
export async function signUp(url: string, email: string): Promise<{ token: string }> {
  const person = { first_name: 'Ada', last_name: 'Lovelace', email, password: 'correct horse' }
  assert.equal((await ask(url, '/api/auth/signup', person)).status, 201)
  const answer = await ask(url, '/api/auth/login', person)
  return ((await answer.json()) as { data: { token: string } }).data
}

/** Asks for an e-mail, which is promised. */
export async function forgot(url: string, email: string, headers: Record<string, string> = {}): Promise<void> {
  assert.equal((await ask(url, '/api/auth/forgot-password', { email }, undefined, headers)).status, 200)
}
