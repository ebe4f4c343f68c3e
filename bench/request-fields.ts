/** The claims of the token of a request and the fields of its body, by name. */
export type RequestFields = Record<string, unknown>

/** The claims of a bearer token. Its signature is not verified, because the floor checks nothing. */
export function claimsOf(authorization: string | undefined): RequestFields {
  const payload = authorization?.split('.')[1]
  return payload ? (JSON.parse(Buffer.from(payload, 'base64url').toString()) as RequestFields) : {}
}

/** The fields of a request that is given as the bytes of an HTTP message. */
export async function requestFieldsOf(request: Buffer): Promise<RequestFields> {
  const border = request.indexOf('\r\n\r\n')
  const head = request.toString('latin1', 0, border)
  const body = request.subarray(border + 4)
  const claims = claimsOf(/^authorization: (.*)$/im.exec(head)?.[1])
  const type = /^content-type: (.*)$/im.exec(head)?.[1]
  if (body.length === 0) return claims
  if (type === 'application/json') return { ...claims, ...JSON.parse(body.toString()) }
  const form = await new Response(body, { headers: { 'content-type': type! } }).formData()
  return { ...claims, ...Object.fromEntries([...form].filter(([, value]) => typeof value === 'string')) }
}
