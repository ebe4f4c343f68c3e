interface EmailLink {
  token: string
  email: string
}

let taken: EmailLink | undefined

/**
 * Returns the token of an e-mail link and removes it from the address, so that neither the history nor the next page has it. It stays in
 * memory until the page is left.
 */
export function takeEmailLink(): EmailLink | undefined {
  const params = new URLSearchParams(location.search)
  const token = params.get('token')
  if (token) {
    taken = { token, email: params.get('email') ?? '' }
    history.replaceState(null, '', location.pathname)
  }
  return taken
}
