/** Of whatever is given out as a file: nothing is ever rendered as a page of ours, nor kept by anybody on the way. */
export const fileHeaders = {
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox"
}
