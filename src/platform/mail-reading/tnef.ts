/** The content of a winmail.dat (MS-OXTNEF): files, and the text if it is plain. */
export interface Tnef {
  files: { name: string; content: Buffer }[]
  text: string | undefined
  html: Buffer | undefined
  /** Whether every file in it could be read. */
  isWhole: boolean
}

const signature = 0x223e9f78
const maxFiles = 200
const attachData = 0x800f
const attachTitle = 0x8010
const attachRenderData = 0x9002
const attachProperties = 0x9005
const messageBody = 0x800c
const messageProperties = 0x9003

/** Undefined if it is no TNEF. A truncated one is read as far as possible. */
export function tnefIn(bytes: Buffer): Tnef | undefined {
  if (bytes.length < 6 || bytes.readUInt32LE(0) !== signature) return undefined
  const result: Tnef = { files: [], text: undefined, html: undefined, isWhole: true }
  let file: { name: string; content: Buffer } | undefined
  for (let at = 6; at + 9 <= bytes.length; ) {
    const id = bytes.readUInt16LE(at + 1)
    const length = bytes.readUInt32LE(at + 5)
    const data = bytes.subarray(at + 9, at + 9 + length)
    at += 9 + length + 2
    if (id === attachRenderData) {
      if (result.files.length >= maxFiles) break
      file = { name: '', content: Buffer.alloc(0) }
      result.files.push(file)
    } else if (id === attachTitle && file) file.name ||= zeroEnded(data)
    else if (id === attachData && file) file.content = data
    else if (id === attachProperties && file) {
      for (const { tag, content } of propertiesOf(data)) {
        if (isLongName(tag)) file.name = unicodeOrAnsi(tag, content)
        if (tag === attachedBinary) file.content = content
      }
    } else if (id === messageBody) result.text = zeroEnded(data)
    else if (id === messageProperties) {
      for (const { tag, content } of propertiesOf(data)) {
        if (tag >>> 16 === 0x1000) result.text ??= unicodeOrAnsi(tag, content)
        if (tag >>> 16 === 0x1013) result.html ??= content
      }
    }
  }
  const files = result.files.filter(({ content }) => content.length > 0)
  return { ...result, files, isWhole: files.length === result.files.length }
}

/** PR_ATTACH_DATA_BIN. Embedded objects (OLE) and messages have no content of their own. */
const attachedBinary = 0x37010102
const isLongName = (tag: number) => tag >>> 16 === 0x3707

function zeroEnded(data: Buffer): string {
  const end = data.indexOf(0)
  return new TextDecoder('windows-1252').decode(end < 0 ? data : data.subarray(0, end))
}

function unicodeOrAnsi(tag: number, content: Buffer): string {
  if ((tag & 0xffff) !== 0x1f) return zeroEnded(content)
  return content
    .subarray(0, content.length & ~1)
    .toString('utf16le')
    .replace(/\0.*$/s, '')
}

/** The MAPI properties whose length is given or known. Ends at one that is unknown. */
function* propertiesOf(data: Buffer): Generator<{ tag: number; content: Buffer }> {
  if (data.length < 4) return
  const count = Math.min(data.readUInt32LE(0), 2_000)
  let at = 4
  for (let index = 0; index < count && at + 4 <= data.length; index++) {
    const low = data.readUInt16LE(at)
    const tag = ((data.readUInt16LE(at + 2) << 16) | low) >>> 0
    at += 4
    if (tag >>> 16 >= 0x8000) {
      if (at + 20 > data.length) return
      const isNumber = data.readUInt32LE(at + 16) === 0
      at += 20
      if (isNumber) at += 4
      else if (at + 4 <= data.length) at += 4 + padded(data.readUInt32LE(at))
    }
    const fixed = sizes[low & 0xfff]
    if (fixed !== undefined && (low & 0x1000) === 0) {
      yield { tag, content: data.subarray(at, at + fixed) }
      at += padded(fixed)
      continue
    }
    if (at + 4 > data.length) return
    const values = data.readUInt32LE(at)
    at += 4
    for (let value = 0; value < values && at + 4 <= data.length; value++) {
      const length = data.readUInt32LE(at)
      yield { tag, content: data.subarray(at + 4, at + 4 + length) }
      at += 4 + padded(length)
    }
  }
}

const sizes: Record<number, number | undefined> = {
  2: 4,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 8,
  10: 4,
  11: 4,
  20: 8,
  64: 8,
  72: 16
}

function padded(length: number): number {
  // No bit operators, since lengths above 2^31 would become negative.
  return Math.ceil(length / 4) * 4
}
