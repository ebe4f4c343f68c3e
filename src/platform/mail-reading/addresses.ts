import { headerText, onOneLine, trimmed } from './headers.ts'

export interface Mailbox {
  name: string
  email: string
}

const maxMailboxes = 200
const maxCharacters = 50_000
const addressInText = /[^\s<>()[\]:;,"'@\\]{1,128}@[^\s<>()[\]:;,"'@\\]{1,253}/

/**
 * The addresses of a header, including those in groups. Malformed headers are parsed as far as an address can be found: names with unquoted
 * commas, comments, unclosed brackets, an address beside another in quotes.
 */
export function mailboxesIn(value: string | undefined, charset?: string): Mailbox[] {
  if (!value) return []
  const found: Mailbox[] = []
  let carried = ''
  for (const piece of piecesOf(value.slice(0, maxCharacters))) {
    const several = addressesIn(carried + piece).flatMap(each => mailboxOf(each, charset) ?? [])
    if (several.length > 0) {
      found.push(...several)
      carried = ''
    } else if (piece.trim() !== '' && !piece.includes(';')) {
      // A name with an unquoted comma: it continues in the next piece.
      carried = `${carried}${piece}, `.slice(-500)
    } else carried = ''
    if (found.length >= maxMailboxes) break
  }
  return found
}

/** Several addresses in brackets without commas between them; quoted text is ignored. */
function addressesIn(piece: string): string[] {
  const brackets = [...piece.replace(/"[^"]*"/g, quoted => '"'.repeat(quoted.length)).matchAll(/<[^<>]*@[^<>]*>/g)]
  if (brackets.length < 2) return [piece]
  return brackets.map(({ index, 0: whole }, at) => {
    const before = at === 0 ? 0 : brackets[at - 1]!.index + brackets[at - 1]![0].length
    return piece.slice(before, index + whole.length)
  })
}

/** Splits at commas and semicolons outside of quotes, brackets and comments, and drops group names. */
function piecesOf(value: string): string[] {
  const pieces: string[] = []
  let from = 0
  let quoted = false
  let depth = 0
  let bracket = false
  for (let at = 0; at < value.length; at++) {
    const sign = value[at]
    if (sign === '\\') at++
    else if (sign === '"') quoted = closes(value, at, quoted)
    else if (quoted) continue
    else if (sign === '(') depth++
    else if (sign === ')') depth = Math.max(0, depth - 1)
    else if (depth > 0) continue
    else if (sign === '<') bracket = value.indexOf('>', at) > 0
    else if (sign === '>') bracket = false
    else if (bracket) continue
    else if (sign === ',' || sign === ';') {
      pieces.push(value.slice(from, at))
      if (sign === ';') pieces.push(';')
      from = at + 1
    } else if (
      sign === ':' &&
      !/^mailto$/i.test(value.slice(from, at).trim()) &&
      !value.slice(from, at).includes('@')
    ) {
      from = at + 1
    }
  }
  return [...pieces, value.slice(from)]
}

/** An unclosed quote is an ordinary character. */
function closes(value: string, at: number, isQuoted: boolean): boolean {
  return !isQuoted && value.indexOf('"', at + 1) > 0
}

function mailboxOf(piece: string, charset: string | undefined): Mailbox | undefined {
  const text = trimmed(piece)
  const open = text.lastIndexOf('<')
  const inside = open >= 0 ? text.slice(open + 1).split('>', 1)[0]! : ''
  const inBrackets = emailIn(inside) ?? emailIn(inside.replace(/\([^()]*\)/g, ''))
  if (inBrackets) {
    // Some programs put the address into the brackets twice: "<a@b.example<mailto:a@b.example>>".
    const before = text.slice(0, open).replace(/<[^<>]*@[^<>]*$/, '')
    return { email: inBrackets, name: nameIn(before || text.slice(open).split('>')[1] || '', charset) }
  }
  const comment = /\(([^()]*)\)/.exec(text)
  const plain = withoutBytes(text.replace(/\([^()]*\)/g, ' '))
  const email = emailIn(plain)
  if (!email) return undefined
  const rest = plain
    .replace(email, ' ')
    .replace(/[<>]/g, ' ')
    .replace(/^mailto:/i, '')
  return { email, name: comment?.[1] ? nameIn(comment[1], charset) : nameIn(rest, charset, true) }
}

/** One address with a domain, as mail is sent to it; undefined if there is none. */
export function emailIn(text: string): string | undefined {
  const plain = withoutBytes(trimmed(text)).replace(/^mailto:/i, '')
  const quotedLocal = /^"((?:[^"\\\x00-\x1f]|\\.){1,64})"@([^\s<>@"]{1,253})$/.exec(plain)
  if (quotedLocal) return `"${quotedLocal[1]}"@${quotedLocal[2]}`
  const [found] = addressInText.exec(plain) ?? []
  const email = found?.replace(/^\.+|\.+$/g, '')
  if (!email || email.length > 255 || /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(email)) return undefined
  return email
}

/** Decodes bytes to text, since addresses are searched by characters, and a byte of a character may look like a blank. */
function withoutBytes(text: string): string {
  return /[\x80-\xff]/.test(text) && !/[^\0-\xff]/.test(text) ? headerText(text) : text
}

function nameIn(text: string, charset: string | undefined, isDecoded = false): string {
  const bare = trimmed(text)
    .replace(/^"((?:[^"\\]|\\.)*)"$/s, '$1')
    .replace(/\\(.)/g, '$1')
  const decoded = isDecoded ? bare : headerText(bare, charset)
  const name = onOneLine(decoded.replace(/^["'\s,;]+|["'\s,;]+$/g, ''))
  return [...name].slice(0, 200).join('')
}

/** The Message-IDs in a header, without angle brackets, at most 100; those without brackets only if there are no others. */
export function messageIdsIn(value: string | undefined): string[] {
  if (!value) return []
  const text = value.slice(0, maxCharacters)
  const inBrackets = [...text.matchAll(/<([^<>\s\p{Cc}]{1,500})>/gu)].map(([, id]) => id!)
  const found =
    inBrackets.length > 0
      ? inBrackets
      : text.split(/[\s,]+/).filter(id => /^[^\s@<>\p{Cc}]{1,250}@[^\s@<>\p{Cc}]{1,250}$/u.test(id))
  return [...new Set(found)].slice(-100)
}
