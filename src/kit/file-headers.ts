/** The headers of every downloaded file: browsers never render it as a page of ours, and proxies do not cache it. */
export const fileHeaders = {
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox"
}
