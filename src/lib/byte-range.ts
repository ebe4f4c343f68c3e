/** From byte `start` to `end`, inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/** The requested range of content with `sizeBytes`. Undefined: send the whole, also for malformed or multiple ranges (RFC 9110, 14.2). */
export function byteRange(header: string | undefined, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  if (from !== '' && to !== '' && Number(from) > Number(to)) return undefined

  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  return start <= end ? { start, end } : 'unsatisfiable'
}

/** The same, considering If-Range: a range is sent only for that version, by its quoted tag. A date never matches, since we send none. */
export function conditionalByteRange(
  headers: { range?: string; 'if-range'?: string },
  etag: string,
  sizeBytes: number
): ReturnType<typeof byteRange> {
  const ifRange = headers['if-range']
  return ifRange === undefined || ifRange === etag ? byteRange(headers.range, sizeBytes) : undefined
}
