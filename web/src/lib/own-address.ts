/** A link of the service within these pages: they may be served under another host name than the one that the service is configured with. */
export function ownAddress(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
