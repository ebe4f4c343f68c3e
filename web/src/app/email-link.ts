interface EmailLink {
  token: string
  email: string
}

let taken: EmailLink | undefined

/**
 * What the link of the e-mail carries, once: the address loses it at once, so that neither the history nor a page that is visited next has the
 * token. It stays in memory, for as long as this page does.
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
