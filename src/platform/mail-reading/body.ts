import { randomUUID } from 'node:crypto'
import { calendarText } from './calendar.ts'
import { decodedText } from './charset.ts'
import { firstHeader, headersOf, headerText } from './headers.ts'
import { cleanHtml, collapseBlankLines } from './html.ts'
import { looksLikeHtml, type MimePart, nameOf } from './mime-parts.ts'
import { tnefIn } from './tnef.ts'
import { fromUuencode } from './transfer-encodings.ts'

/** A file of a mail. `contentId`: the name by which its HTML refers to it. */
export interface MailFile {
  name: string
  type: string
  content: Uint8Array
  contentId: string | undefined
}

interface Body {
  /** The whole text, including quotes. */
  text: string
  html: string | undefined
  /** The addresses of the pictures that it names by number. */
  remotePictures: string[]
  files: MailFile[]
  omitted: string[]
}

const maxFiles = 100
const maxTextBytes = 4_000_000

/** The readable text of a message, and its files. */
export function bodyOf(root: MimePart, charset: string | undefined): Body {
  const collected: Collected = {
    texts: [],
    htmls: [],
    files: [],
    omitted: [],
    calendars: [],
    charset,
    isEncrypted: false
  }
  collect(root, collected, false)
  const remotePictures: string[] = []
  const cleaned = collected.htmls.map(html => cleanHtml(html, remotePictures))
  const files = [...collected.files]
  for (const { images } of cleaned) {
    for (const { contentId, type, content } of images)
      add(collected, files, { name: `image.${type.slice(6)}`, type, content, contentId })
  }
  const plain = collapseBlankLines(collected.texts.join('\n\n'))
  const fromHtml = collapseBlankLines(cleaned.map(({ text }) => text).join('\n\n'))
  const html = cleaned.map(({ html }) => html).join('<hr>')
  const isSealed = collected.isEncrypted || (plain === '' && fromHtml === '' && isSealedPart(root))
  const taken =
    isSealed && plain === ''
      ? '[This message is encrypted: see its file]'
      : fromUu((isPoor(plain, fromHtml) ? fromHtml : plain).replaceAll('\0', ''), file => add(collected, files, file))
  const text = taken.replace(/^>+From /gm, found => found.slice(1)).replaceAll('\0', '')
  const shown = text === '' ? calendarText(collected.calendars[0] ?? '') : text
  return {
    text: shown,
    html: html.trim() === '' ? undefined : html.replaceAll('\0', ''),
    remotePictures,
    files,
    omitted: collected.omitted
  }
}

function isSealedPart({ type }: MimePart): boolean {
  return /^application\/(x-)?pkcs7-mime$/.test(type.value) && !/signed/.test(type.parameters['smime-type'] ?? '')
}

interface Collected {
  texts: string[]
  htmls: string[]
  files: MailFile[]
  omitted: string[]
  calendars: string[]
  charset: string | undefined
  isEncrypted: boolean
}

/** The plain part of some mailers only says that there is an HTML part. */
function isPoor(plain: string, fromHtml: string): boolean {
  if (fromHtml === '') return false
  if (plain === '' || /^<(html|!doctype|body|div)/i.test(plain)) return true
  return (
    plain.length < 300 &&
    fromHtml.length > plain.length * 2 &&
    /html|browser|view (this|online)|not support/i.test(plain)
  )
}

function collect(part: MimePart, into: Collected, isAlternative: boolean): void {
  const { type } = part
  if (type.value === 'multipart/alternative') {
    collectAlternatives(part, into)
    return
  }
  if (type.value === 'multipart/encrypted') into.isEncrypted = true
  if (part.children.length > 0) {
    for (const child of part.children) collect(child, into, isAlternative)
    return
  }
  if (part.content.length === 0 && !part.disposition.parameters.filename) return
  const name = nameOf(part, into.charset)
  const isAttached =
    part.disposition.value === 'attachment' || (name !== undefined && part.disposition.value !== 'inline')
  const isBody =
    /^text\/(plain|html|enriched|richtext)$/.test(type.value) ||
    (type.value.startsWith('text/') && !name && isPlainLike.test(type.value))
  const file = isBody ? fileIn(part.content) : undefined
  if (
    isBody &&
    !isAttached &&
    !file &&
    !(name && part.disposition.value === 'inline' && into.texts.length + into.htmls.length > 0)
  ) {
    const text = textOf(part, into.charset)
    if (type.value === 'text/html' || (type.value === 'text/plain' && looksLikeHtml(part.content)))
      into.htmls.push(text)
    else into.texts.push(text)
    return
  }
  addPart(part, name ?? file, into)
}

/** The file name for a picture or document that is declared as text or not at all; undefined for text. */
function fileIn(content: Buffer): string | undefined {
  const start = content.subarray(0, 1_000).toString('latin1')
  const name = magic.find(([pattern]) => pattern.test(start))?.[1]
  const controls = start.match(/[\x01-\x08\x0e-\x1a\x1c-\x1f]/g)?.length ?? 0
  return name ?? (controls * 20 > start.length ? 'file' : undefined)
}

const magic: [RegExp, string][] = [
  [/^\x89PNG\r?\n/, 'image.png'],
  [/^\xff\xd8\xff/, 'image.jpg'],
  [/^GIF8[79]a/, 'image.gif'],
  [/^%PDF-\d/, 'document.pdf'],
  [/^PK\x03\x04/, 'file.zip']
]

const isPlainLike = /^text\/(x-|markdown|x?amp|watch-html)/

/** Alternatives have the same content: only the richest supported one and the plain one are used. */
function collectAlternatives(part: MimePart, into: Collected): void {
  const each = part.children.map(child => {
    const own: Collected = { ...into, texts: [], htmls: [], files: [] }
    collect(child, own, true)
    return own
  })
  const withHtml = each.findLast(({ htmls }) => htmls.length > 0)
  const withText =
    each.find(({ texts }) => texts.some(text => text.trim() !== '')) ?? each.find(({ texts }) => texts.length > 0)
  into.htmls.push(...(withHtml?.htmls ?? []))
  if (withText) into.texts.push(...withText.texts)
  else if (into.texts.length > 0 && withHtml) into.texts.push(...withHtml.htmls.map(html => cleanHtml(html).text))
  for (const { files } of each) for (const file of files) add(into, into.files, file)
}

function textOf(part: MimePart, charset: string | undefined): string {
  const bytes = part.content.subarray(0, maxTextBytes)
  const label = part.type.parameters.charset ?? (part.type.value === 'text/html' ? metaCharset(bytes) : undefined)
  const text = decodedText(bytes, label ?? charset).replace(/[\ue000-\ue00f]/g, '')
  if (part.type.value === 'text/enriched' || part.type.value === 'text/richtext')
    return text.replace(/<param>.*?<\/param>/gs, '').replace(/<\/?[a-z-]{1,60}>/gi, '')
  return part.type.parameters.format?.toLowerCase() === 'flowed'
    ? unflowed(text, part.type.parameters.delsp?.toLowerCase() === 'yes')
    : text
}

function metaCharset(bytes: Uint8Array): string | undefined {
  return /<meta[^>]{1,200}charset\s*=\s*["']?([\w:.-]{2,40})/i.exec(
    Buffer.from(bytes.subarray(0, 4_000)).toString('latin1')
  )?.[1]
}

/** RFC 3676: a line that ends in a blank continues in the next one, if that has the same quote depth. */
function unflowed(text: string, deleteBlank: boolean): string {
  const lines: string[] = []
  let open: { depth: number } | undefined
  for (const line of text.split(/\r?\n/)) {
    const depth = /^>*/.exec(line)![0].length
    const content = line.slice(depth).replace(/^ /, '')
    const isSignature = content === '-- '
    const goesOn = content.endsWith(' ') && !isSignature
    const shown = goesOn && deleteBlank ? content.slice(0, -1) : content
    if (open && open.depth === depth && !isSignature) lines[lines.length - 1] += shown
    else lines.push(depth > 0 ? `${'>'.repeat(depth)} ${shown}` : shown)
    open = goesOn ? { depth } : undefined
  }
  return lines.join('\n')
}

function addPart(part: MimePart, name: string | undefined, into: Collected): void {
  const { type, content } = part
  const contentId = firstHeader(part.headers, 'content-id')?.replace(/^<|>$/g, '').trim() || undefined
  if (/^application\/(ms-tnef|vnd\.ms-tnef)$/.test(type.value) || /^winmail\.dat$/i.test(name ?? '')) {
    const tnef = tnefIn(content)
    if (tnef) {
      for (const file of tnef.files)
        add(into, into.files, {
          name: file.name || 'file',
          type: 'application/octet-stream',
          content: file.content,
          contentId: undefined
        })
      if (into.texts.length + into.htmls.length === 0) {
        if (tnef.html) into.htmls.push(decodedText(tnef.html, undefined))
        else if (tnef.text) into.texts.push(tnef.text)
      }
      if (tnef.isWhole) return
    }
  }
  // A signature is of no use to a reader; encrypted content is kept.
  if (/^application\/(x-)?(pkcs7|pgp)-signature$/.test(type.value)) return
  if (into.isEncrypted && type.value === 'application/pgp-encrypted') return
  if (/^message\/(delivery-status|disposition-notification|feedback-report|global-delivery-status)$/.test(type.value))
    return
  if (/^(text\/calendar|application\/ics)$/.test(type.value)) into.calendars.push(textOf(part, into.charset))
  if (isPlacedImage(part, contentId, into)) {
    const place = `place-${randomUUID()}`
    into.htmls.push(`${into.htmls.pop()}<img src="cid:${place}">`)
    add(into, into.files, { name: name ?? usualName(part, into.charset), type: type.value, content, contentId: place })
    return
  }
  const usual = into.isEncrypted ? 'encrypted.asc' : usualName(part, into.charset)
  add(into, into.files, { name: name ?? usual, type: type.value, content, contentId })
}

/** An image between texts, as Apple Mail sends it: it follows the text, and no HTML refers to it. */
function isPlacedImage({ type, disposition }: MimePart, contentId: string | undefined, { htmls }: Collected): boolean {
  if (!/^image\/(png|jpe?g|gif|webp|bmp)$/.test(type.value) || disposition.value !== 'inline') return false
  return htmls.length > 0 && !htmls.some(html => contentId !== undefined && html.includes(contentId))
}

function usualName({ type, content }: MimePart, charset: string | undefined): string {
  if (type.value === 'message/rfc822' || type.value === 'message/global') {
    const end = content.indexOf('\n\n') >= 0 ? content.indexOf('\n\n') : content.indexOf('\r\n\r\n')
    const subject = headerText(
      firstHeader(headersOf(content.toString('latin1', 0, end < 0 ? 10_000 : end)), 'subject') ?? '',
      charset
    )
    return `${
      subject
        .replace(/[/\\:*?"<>|]/g, ' ')
        .trim()
        .slice(0, 100) || 'message'
    }.eml`
  }
  const known: Record<string, string> = {
    'text/calendar': 'invite.ics',
    'text/vcard': 'contact.vcf',
    'text/x-vcard': 'contact.vcf',
    'text/directory': 'contact.vcf',
    'application/pkcs7-mime': 'smime.p7m',
    'application/x-pkcs7-mime': 'smime.p7m',
    'text/rfc822-headers': 'headers.txt',
    'text/plain': 'text.txt',
    'text/html': 'page.html',
    'application/ics': 'invite.ics',
    'application/pdf': 'document.pdf',
    'image/jpeg': 'image.jpg'
  }
  const ending = /^image\/([a-z0-9]{2,5})$/.exec(type.value)?.[1]
  return known[type.value] ?? (ending ? `image.${ending}` : 'file')
}

function add(into: Collected, files: MailFile[], file: MailFile): void {
  if (files.length >= maxFiles) into.omitted.push(file.name)
  else files.push({ ...file, content: withOwnMemory(file.content) })
}

/** Bytes that can be transferred to another thread: if their buffer is shared or much larger, they are copied. */
function withOwnMemory({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  const isOwn = byteOffset === 0 && byteLength > 100_000 && buffer.byteLength < byteLength * 1.5
  const view = new Uint8Array(buffer, byteOffset, byteLength)
  return isOwn ? view : view.slice()
}

/** Uuencoded files within the text, as old programs send them. */
function fromUu(text: string, take: (file: MailFile) => void): string {
  const marks = [...text.matchAll(/^begin [0-7]{3,4} (\S.{0,200})$/gm)].slice(0, 20)
  if (marks.length === 0) return text
  let result = ''
  let from = 0
  for (const mark of marks) {
    const end = text.indexOf('\nend', mark.index)
    const content = end > 0 && mark.index >= from ? fromUuencode(text.slice(mark.index, end + 5)) : undefined
    if (!content) continue
    take({ name: mark[1]!.trim(), type: 'application/octet-stream', content, contentId: `uu-${randomUUID()}` })
    result += text.slice(from, mark.index)
    from = end + 4
  }
  return (result + text.slice(from)).trim()
}
