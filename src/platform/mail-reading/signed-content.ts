const signedData = '2a864886f70d010702'
const data = '2a864886f70d010701'
const maxDepth = 20
const maxValues = 200_000

/** A DER or BER value. */
interface Value {
  tag: number
  content: Buffer
  /** The position after it. */
  after: number
}

/**
 * The mail inside an enveloping signature (S/MIME, RFC 8551: `signed-data`), which anybody can read, whoever signed it. Undefined if it is
 * encrypted, or something else.
 */
export function signedContentIn(bytes: Buffer): Buffer | undefined {
  const [type, wrapped] = valuesIn(valueAt(bytes, 0)?.content)
  if (type?.content.toString('hex') !== signedData) return undefined
  const signed = valueAt(wrapped?.content ?? Buffer.alloc(0), 0)
  const encapsulated = valuesIn(signed?.content).find(({ tag }) => tag === 0x30)
  const [kind, content] = valuesIn(encapsulated?.content)
  if (kind?.content.toString('hex') !== data || !content) return undefined
  const octets = valueAt(content.content, 0)
  if (octets?.tag === 0x04) return octets.content
  // The content is written in chunks.
  return octets?.tag === 0x24 ? Buffer.concat(valuesIn(octets.content).map(({ content }) => content)) : undefined
}

function valuesIn(bytes: Buffer | undefined): Value[] {
  const values: Value[] = []
  for (let at = 0; bytes && at < bytes.length && values.length < maxValues; ) {
    const value = valueAt(bytes, at)
    if (!value) break
    values.push(value)
    at = value.after
  }
  return values
}

function valueAt(bytes: Buffer, at: number, depth = 0): Value | undefined {
  const [tag, size] = [bytes[at], bytes[at + 1]]
  if (tag === undefined || size === undefined || depth > maxDepth) return undefined
  if (size === 0x80) return unmeasured(bytes, at, depth)
  const sizeBytes = size > 0x80 ? size & 0x7f : 0
  const start = at + 2 + sizeBytes
  if (sizeBytes > 4 || start > bytes.length) return undefined
  const length = sizeBytes === 0 ? size : bytes.readUIntBE(at + 2, sizeBytes)
  const after = start + length
  return after > bytes.length ? undefined : { tag, content: bytes.subarray(start, after), after }
}

/** A value of indefinite length, which ends with two zeros. */
function unmeasured(bytes: Buffer, at: number, depth: number): Value | undefined {
  let next = at + 2
  while (!(bytes[next] === 0 && bytes[next + 1] === 0)) {
    const value = valueAt(bytes, next, depth + 1)
    if (!value) return undefined
    next = value.after
  }
  return { tag: bytes[at]!, content: bytes.subarray(at + 2, next), after: next + 2 }
}
