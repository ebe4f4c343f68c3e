const publicPages = new Set(['/sign-in', '/forgot', '/reset'])

/** Whether this path below `/desk` is for people who are not signed in. Such pages have no shell. */
export function isPublicPage(pathname: string): boolean {
  return publicPages.has(pathname.replace(/^\/desk(?=\/)/, ''))
}

/** Whether the page has no shell: the public pages, the set-up of a required second factor, and the wall, which hangs in a room. */
export function isWithoutShell(pathname: string): boolean {
  return isPublicPage(pathname) || /\/(second-factor|wall)$/.test(pathname)
}
