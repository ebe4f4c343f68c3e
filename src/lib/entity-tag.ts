/** Whether an If-None-Match header names this version of a content, by its quoted tag (RFC 9110, 13.1.2). */
export function namesVersion(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map(tag => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
