/** From byte `start` to `end`, inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * The part of a content of `sizeBytes` that a Range header asks for. Undefined: the whole is to be sent, which is also the answer to
 * what is malformed or asks for several parts (RFC 9110, 14.2).
 */
export function byteRange(header: string | undefined, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  if (from !== '' && to !== '' && Number(from) > Number(to)) return undefined

  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  return start <= end ? { start, end } : 'unsatisfiable'
}

/**
 * The same by all headers of a request for the version with this quoted tag. With If-Range the part is wanted of that very version
 * alone, which a date cannot name: we send none.
 */
export function rangeOfVersion(
  headers: { range?: string; 'if-range'?: string },
  etag: string,
  sizeBytes: number
): ReturnType<typeof byteRange> {
  const ifRange = headers['if-range']
  return ifRange === undefined || ifRange === etag ? byteRange(headers.range, sizeBytes) : undefined
}
