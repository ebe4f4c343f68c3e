import { createHmac } from 'node:crypto'

/** A request to a gateway with our own protocol (see docs/decisions). `to` is in E.164. */
export function signedRequest(
  { to, text, reference }: { to: string; text: string; reference: string },
  { secret, now }: { secret: string; now: Date }
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify({ to, text, reference })
  const timestamp = String(Math.floor(now.getTime() / 1000))
  return {
    headers: {
      'content-type': 'application/json',
      'idempotency-key': reference,
      'x-deskline-timestamp': timestamp,
      'x-deskline-signature': `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
    },
    body
  }
}
