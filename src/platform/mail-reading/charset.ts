import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { likelyCharset } from './likely-charset.ts'
import { fromHz, fromShifted, fromUtf7 } from './seven-bit-charsets.ts'

/** Non-standard charset labels in real mail. */
const aliases: Record<string, string> = {
  'iso-8859-8-i': 'windows-1255',
  'iso-8859-8': 'windows-1255',
  'iso-8859-6': 'windows-1256',
  utf8mb4: 'utf-8',
  'utf-8-sig': 'utf-8',
  'unicode-1-1-utf-7': 'utf-7',
  utf7: 'utf-7',
  'x-unicode-2-0-utf-7': 'utf-7',
  cp932: 'shift_jis',
  'windows-31j': 'shift_jis',
  'x-mac-japanese': 'shift_jis',
  'iso-2022-jp-1': 'iso-2022-jp',
  'iso-2022-jp-2': 'iso-2022-jp',
  'iso-2022-jp-3': 'iso-2022-jp',
  'iso-2022-jp-ms': 'iso-2022-jp',
  cp50220: 'iso-2022-jp',
  cp50221: 'iso-2022-jp',
  'x-windows-949': 'euc-kr',
  cp949: 'euc-kr',
  uhc: 'euc-kr',
  cp936: 'gb18030',
  gb2312: 'gb18030',
  gbk: 'gb18030',
  'x-gbk': 'gb18030',
  'gb_2312-80': 'gb18030',
  cp950: 'big5',
  'big5-eten': 'big5',
  'x-mac-roman': 'macintosh',
  ansi: 'windows-1252',
  'x-ansi': 'windows-1252',
  iso8859_1: 'windows-1252'
}

/** Windows charsets for ISO labels: Windows programs use bytes that are control characters in ISO charsets. */
const windowsOf: Record<string, string> = {
  'iso-8859-2': 'windows-1250',
  'iso-8859-5': 'windows-1251',
  'iso-8859-7': 'windows-1253',
  'iso-8859-13': 'windows-1257',
  'iso-8859-15': 'windows-1252',
  'iso-8859-4': 'windows-1257'
}

/** Labels that say nothing, or are used for everything. */
const isNoLabel =
  /^(|us-?ascii|ascii|ansi_x3\.4-1968|unknown-?8bit|x-unknown|unknown|8bit|7bit|binary|default|none|_?autodetect.*|x-user-defined|iso-10646)$/

const isWestern = /^(iso-8859-(1|15)|windows-1252|latin-?1)$/

const isManyByte = /^(shift_jis|euc-|gb|big5|iso-2022)/

/**
 * Decodes bytes that are labelled with a charset. Labels are often wrong: valid UTF-8 is decoded as such, unless the label fits as well; bytes
 * that the label does not fit are decoded by their likely charset. Never throws.
 */
export function decodedText(bytes: Uint8Array, label: string | undefined): string {
  const marked = withByteOrderMark(bytes)
  if (marked !== undefined) return marked
  const name = nameOf(label)
  const special = fromSevenBits(bytes, name)
  if (special !== undefined) return special
  if (isAscii(bytes)) {
    // Half of UTF-16 is NUL, which is ASCII.
    if (/^utf-?(16|32)/.test(name) || name === 'iso-2022-jp') return decodedAs(bytes, name) ?? ascii(bytes)
    return includesEscapes(bytes) ? (decodedAs(bytes, 'iso-2022-jp') ?? ascii(bytes)) : ascii(bytes)
  }
  if (isManyByte.test(name)) {
    const strict = strictlyDecoded(bytes, name)
    if (strict !== undefined) return strict
    if (isUtf8(bytes)) return utf8(bytes)
    // The ISO-2022 charsets need escapes: without any, mail labelled "ISO-2022-JP" may be EUC-JP.
    const text = name.startsWith('iso-2022') && !includesEscapes(bytes) ? undefined : decodedAs(bytes, name)
    return text === undefined || isMostlyBroken(text) ? likely(bytes) : text
  }
  if (/^utf-?(16|32)/.test(name)) return decodedAs(bytes, name) ?? likely(bytes)
  if (isUtf8(bytes)) return utf8(bytes)
  if (isNoLabel.test(name)) return likely(bytes)
  if (/^utf-?8$/.test(name)) return isEastAsian(bytes) ? likely(bytes) : mixed(bytes)
  // Western Windows charsets do not use these bytes; Shift_JIS uses many.
  if (isWestern.test(name) && hasUnusedOfWest(bytes) && isEastAsian(bytes)) return likely(bytes)
  const windows = windowsOf[name]
  return decodedAs(bytes, windows && hasC1(bytes) ? windows : name) ?? likely(bytes)
}

function nameOf(label = ''): string {
  const name = label
    .trim()
    .replace(/^["']|["']$/g, '')
    .replace(/\*.*$/, '')
    .toLowerCase()
    .replace(/^charset=/, '')
    .replace(/^["']|["']$/g, '')
    .replaceAll(' ', '')
  const plain = /^(?:iso)[-_]?8859[-_](\d{1,2})/.exec(name)
  const usual = plain ? `iso-8859-${plain[1]}${name.endsWith('-i') ? '-i' : ''}` : name
  return Object.hasOwn(aliases, usual) ? aliases[usual]! : usual
}

function withByteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return mixed(bytes.subarray(3))
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodedAs(bytes.subarray(2), 'utf-16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodedAs(bytes.subarray(2), 'utf-16be')
  return undefined
}

function fromSevenBits(bytes: Uint8Array, name: string): string | undefined {
  if (name === 'utf-7') return fromUtf7(ascii(bytes))
  if (name === 'hz-gb-2312' || name === 'hz') return fromHz(bytes)
  if (name === 'iso-2022-kr') return fromShifted(bytes, 'euc-kr')
  if (name === 'iso-2022-cn' || name === 'iso-2022-cn-ext') return fromShifted(bytes, 'gb18030')
  return undefined
}

function decodedAs(bytes: Uint8Array, name: string): string | undefined {
  try {
    return new TextDecoder(name).decode(name === 'iso-2022-jp' ? withoutIdleEscapes(bytes) : bytes)
  } catch {
    return iconv.encodingExists(name) ? iconv.decode(Buffer.from(bytes), name) : undefined
  }
}

/** Between two encoded words one escape sequence follows another, which the decoder takes for an error. */
function withoutIdleEscapes(bytes: Uint8Array): Uint8Array {
  const change = '\\x1b(?:\\$[@B]|\\([BIJ])'
  return Buffer.from(ascii(bytes).replace(new RegExp(`(?:${change})+(?=${change})`, 'g'), ''), 'latin1')
}

function strictlyDecoded(bytes: Uint8Array, name: string): string | undefined {
  try {
    return new TextDecoder(name, { fatal: true }).decode(name === 'iso-2022-jp' ? withoutIdleEscapes(bytes) : bytes)
  } catch {
    return undefined
  }
}

function likely(bytes: Uint8Array): string {
  const charset = likelyCharset(bytes)
  return charset === 'utf-8' ? mixed(bytes) : (decodedAs(bytes, charset) ?? mixed(bytes))
}

/** UTF-8 with other bytes in it: Western Windows bytes, or a broken character. */
function mixed(bytes: Uint8Array): string {
  const text = utf8(bytes)
  if (!text.includes('\ufffd') || isUtf8(bytes)) return text
  const pieces: string[] = []
  let from = 0
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceAt(bytes, at)
    if (length > 0) {
      at += length
      continue
    }
    if (at > from) pieces.push(utf8(bytes.subarray(from, at)))
    pieces.push(westernCharacters[bytes[at]!]!)
    at++
    from = at
  }
  return pieces.join('') + utf8(bytes.subarray(from))
}

/** The length of the UTF-8 character at this position; 0 if there is none. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  if (first < 0x80) return 1
  const length = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0
  if (length === 0 || first >= 0xf5 || at + length > bytes.length) return 0
  for (let next = 1; next < length; next++) if ((bytes[at + next]! & 0xc0) !== 0x80) return 0
  return isUtf8(bytes.subarray(at, at + length)) ? length : 0
}

const westernCharacters = [
  ...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
]
const unicode = new TextDecoder('utf-8')

function utf8(bytes: Uint8Array): string {
  return unicode.decode(bytes)
}

function ascii(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** Whether more is broken than a character or two that were cut off. */
function isMostlyBroken(text: string): boolean {
  const broken = text.split('\ufffd').length - 1
  return broken > 4 && broken * 4 > text.replace(/[\0-\x7f]+/g, '').length
}

function isEastAsian(bytes: Uint8Array): boolean {
  return isManyByte.test(likelyCharset(bytes))
}

function hasUnusedOfWest(bytes: Uint8Array): boolean {
  return bytes.some(byte => byte === 0x81 || byte === 0x8d || byte === 0x8f || byte === 0x90 || byte === 0x9d)
}

function hasC1(bytes: Uint8Array): boolean {
  return bytes.some(byte => byte >= 0x80 && byte < 0xa0)
}

/** ESC $ B and the like: unlabelled Japanese. */
function includesEscapes(bytes: Uint8Array): boolean {
  const at = bytes.indexOf(0x1b)
  return at >= 0 && (bytes[at + 1] === 0x24 || bytes[at + 1] === 0x28)
}
