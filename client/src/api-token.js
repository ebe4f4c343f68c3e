/**
 * The session of a program with an API token: the token does not change, and ends only where its owner ends it.
 *
 * @param {string} token
 * @param {import('./index.js').Population} population
 */
export function makeTokenSession(token, population) {
  const refused = async () => {
    throw new Error('A client with an API token signs nobody in or out: its owner revokes the token')
  }
  return {
    current: async () => ({ token, population }),
    /** @param {(token?: string) => Promise<Response>} send */
    authorized: async send => await send(token),
    open: refused,
    exclusively: refused,
    close: refused,
    user: async () => undefined
  }
}
