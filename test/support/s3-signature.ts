import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Why a request may not be answered: what it lacks of a signature (AWS, version 4), in its headers or its query. */
export function signatureFault(request: IncomingMessage, secretKey: string): string | undefined {
  const { pathname, searchParams } = new URL(request.url!, 'http://store')
  const given = searchParams.has('X-Amz-Signature') ? ofQuery(searchParams) : ofHeaders(request)
  if (!given) return 'AccessDenied'
  const { credential, date, signedHeaders, signature, payload, expiresAt } = given
  if (expiresAt < Date.now()) return 'AccessDenied'

  const query = [...searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&')
  const headers = signedHeaders.split(';').map(name => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
  const asked = [request.method, pathname, query, headers.join(''), signedHeaders, payload].join('\n')
  const [, ...scope] = credential.split('/')
  const toSign = ['AWS4-HMAC-SHA256', date, scope.join('/'), createHash('sha256').update(asked).digest('hex')]

  let key: Buffer | string = `AWS4${secretKey}`
  for (const part of scope) key = createHmac('sha256', key).update(part).digest()
  const expected = createHmac('sha256', key).update(toSign.join('\n')).digest('hex')
  return expected === signature ? undefined : 'SignatureDoesNotMatch'
}

interface Signature {
  credential: string
  date: string
  signedHeaders: string
  signature: string
  payload: string
  expiresAt: number
}

function ofHeaders({ headers }: IncomingMessage): Signature | undefined {
  const [, credential, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(headers.authorization ?? '') ?? []
  if (!credential || !signedHeaders || !signature) return undefined
  return {
    credential,
    signedHeaders,
    signature,
    date: String(headers['x-amz-date']),
    payload: String(headers['x-amz-content-sha256']),
    expiresAt: Infinity
  }
}

function ofQuery(query: URLSearchParams): Signature {
  const read = (name: string) => query.get(`X-Amz-${name}`) ?? ''
  const date = read('Date')
  const [, day, time] = /^(\d{8})T(\d{6})Z$/.exec(date) ?? []
  const from = Date.parse(`${day?.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time?.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`)
  return {
    credential: read('Credential'),
    signedHeaders: read('SignedHeaders'),
    signature: read('Signature'),
    date,
    payload: 'UNSIGNED-PAYLOAD',
    expiresAt: from + Number(read('Expires')) * 1000
  }
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
