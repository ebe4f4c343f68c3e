import type { Header } from './headers.ts'

/** The result of one check of a mail server: `dkim=pass header.d=example.com`. */
export interface MethodResult {
  method: string
  result: string
  reason: string | undefined
  /** `header.d`, `smtp.mailfrom` */
  properties: Record<string, string>
}

/** A header in which a mail server reports its checks. Anybody can write one: `hop` tells where it is. */
export interface AuthenticationResults {
  /** How many Received headers are above it: each server adds its own on top. */
  hop: number
  /** The reporting server, in lower case. */
  host: string
  results: MethodResult[]
}

const maxHeaders = 50
const maxCharacters = 20_000
const maxResults = 100

/** The Authentication-Results headers (RFC 8601) of a mail, from the top. Those without a host are left out. */
export function authenticationResultsIn(headers: readonly Header[]): AuthenticationResults[] {
  const found: AuthenticationResults[] = []
  let hop = 0
  for (const [name, value] of headers) {
    if (name === 'received') hop++
    if (name !== 'authentication-results' || found.length >= maxHeaders) continue
    const read = read8601(value.slice(0, maxCharacters))
    if (read) found.push({ hop, ...read })
  }
  return found
}

function read8601(value: string): Omit<AuthenticationResults, 'hop'> | undefined {
  const [first, ...statements] = statementsOf(value)
  // A version, 1, may follow the host; if a result is first, no host is named.
  const host = first?.[0]
  if (!host || host.sign || first.some(({ sign }) => sign)) return undefined
  return {
    host: host.text.toLowerCase(),
    results: statements.slice(0, maxResults).flatMap(tokens => resultOf(tokens) ?? [])
  }
}

interface Token {
  text: string
  /** Whether it is an equals sign outside of quotes. */
  sign: boolean
  /** Whether it follows a blank or a comment. */
  isApart: boolean
}

/** Splits at semicolons, blanks and equals signs, and drops comments, including nested ones. */
function statementsOf(value: string): Token[][] {
  const statements: Token[][] = [[]]
  let word: string | undefined
  let isApart = true
  let depth = 0
  const end = () => {
    if (word !== undefined) statements.at(-1)!.push({ text: word, sign: false, isApart })
    if (word !== undefined) isApart = false
    word = undefined
  }
  for (let at = 0; at < value.length; at++) {
    const sign = value[at]!
    if (depth > 0) {
      if (sign === '\\') at++
      else if (sign === '(') depth++
      else if (sign === ')') depth--
    } else if (sign === '(' || /\s/.test(sign)) {
      end()
      isApart = true
      if (sign === '(') depth = 1
    } else if (sign === '"') {
      const quoted = quotedFrom(value, at)
      word = (word ?? '') + quoted.text
      at = quoted.end
    } else if (sign === ';') {
      end()
      isApart = true
      statements.push([])
    } else if (sign === '=') {
      end()
      statements.at(-1)!.push({ text: '=', sign: true, isApart })
      isApart = false
    } else word = (word ?? '') + sign
  }
  end()
  return statements
}

function quotedFrom(value: string, start: number): { text: string; end: number } {
  let text = ''
  let at = start + 1
  for (; at < value.length && value[at] !== '"'; at++) {
    if (value[at] === '\\') at++
    text += value[at] ?? ''
  }
  return { text, end: at }
}

function resultOf(tokens: readonly Token[]): MethodResult | undefined {
  const pairs = pairsOf(tokens)
  const [method, result] = pairs[0] ?? []
  if (!method || !result) return undefined
  const properties: Record<string, string> = Object.create(null)
  // The first value counts: an attacker who can extend a value could add a second one.
  for (const [name, text] of pairs.slice(1)) properties[name.toLowerCase()] ??= text
  const { reason, ...rest } = properties
  return { method: method.toLowerCase().replace(/\/.*$/, ''), result: result.toLowerCase(), reason, properties: rest }
}

/** `name=value`, with or without blanks around the sign; later signs, as in base64, belong to the value. */
function pairsOf(tokens: readonly Token[]): [name: string, value: string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at < tokens.length; at++) {
    const [name, equals, value] = tokens.slice(at, at + 3)
    if (!name || name.sign || !equals?.sign || !value || value.sign) continue
    let text = value.text
    at += 2
    while (tokens[at + 1] && !tokens[at + 1]!.isApart) text += tokens[++at]!.text
    pairs.push([name.text, text])
  }
  return pairs
}
