const outside = new Set(['/sign-in', '/forgot', '/reset'])

/** Whether this address, without `/desk`, is for people who are not signed in: it stands without the shell. */
export function isOutside(pathname: string): boolean {
  return outside.has(pathname.replace(/^\/desk(?=\/)/, ''))
}

/** `must_enable_2fa`: the one page there is until it is done. */
export function isAlone(pathname: string): boolean {
  return isOutside(pathname) || pathname.endsWith('/second-factor')
}
