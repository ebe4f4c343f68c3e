const publicPages = new Set(['/sign-in', '/forgot', '/reset'])

/** Whether this address, without `/desk`, is for people who are not signed in: it stands without the shell. */
export function isPublicPage(pathname: string): boolean {
  return publicPages.has(pathname.replace(/^\/desk(?=\/)/, ''))
}

/** `must_enable_2fa`: the one page there is until it is done. */
export function isWithoutShell(pathname: string): boolean {
  return isPublicPage(pathname) || pathname.endsWith('/second-factor')
}
