const publicPages = new Set(['/sign-in', '/sign-up', '/forgot', '/reset', '/open'])

/** Whether a page is also for people who are not signed in. */
export function isPublicPage(path: string): boolean {
  return publicPages.has(path)
}
