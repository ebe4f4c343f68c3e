import assert from 'node:assert/strict'

// Callers who know only the URL of a service.

/** Calls the check endpoint; returns the status. */
export async function check(url: string, requestId: string): Promise<number> {
  // A new connection: a kept one stays with its process.
  const headers = { 'x-request-id': requestId, connection: 'close' }
  return (await fetch(`${url}/api/check`, { method: 'POST', headers })).status
}

export async function post(url: string, path: string, body: object, token?: string, more: Record<string, string> = {}) {
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
  assert.equal((await post(url, '/api/auth/signup', person)).status, 201)
  const answer = await post(url, '/api/auth/login', person)
  return ((await answer.json()) as { data: { token: string } }).data
}

/** Requests a password reset, whose e-mail is promised. */
export async function requestPasswordReset(
  url: string,
  email: string,
  headers: Record<string, string> = {}
): Promise<void> {
  assert.equal((await post(url, '/api/auth/forgot-password', { email }, undefined, headers)).status, 200)
}
