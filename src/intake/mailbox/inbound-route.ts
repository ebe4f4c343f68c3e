import { createHmac, type Hmac } from 'node:crypto'
import { Transform } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../../core/services.ts'
import { BodyTooLarge, Failure, failure, NotFound } from '../../kit/errors.ts'
import { plainAddress } from '../../lib/network.ts'
import { mailReader } from '../../platform/mail-reading/mail-reader.ts'
import { sameSecret } from '../../platform/secrets/same-secret.ts'
import { MessageTooLarge } from './raw-digests.ts'
import type { Receipt } from './receipt.ts'
import { receiveMail } from './receive-mail.ts'
import { NoMessage } from './store-mail.ts'
import { type UnverifiedBody, unverifiedBodies } from './unverified-bodies.ts'

const path = '/api/mail/inbound'
/** An older signature may have been captured and replayed. */
const toleranceSeconds = 300
const maxHeaderCharacters = 2_000
/** An HMAC-SHA-256 in base64. Signatures of other versions of the scheme may precede or follow it. */
const signaturePattern = /(^| )v1,[A-Za-z0-9+/]{43}=( |$)/

export const BadSignature = failure(401, 'bad_signature', 'The signature of this e-mail is not valid')
export const NotAMessage = failure(400, 'no_message', 'The request body is not an e-mail')

/**
 * Receives a raw e-mail from a provider, who signs it like our own webhooks (Standard Webhooks) with MAIL_INBOUND_SECRET. The body is the
 * message, whatever its content type, and is streamed. Without that setting the route does not exist. The headers are checked before a byte is
 * stored; the body can only be checked when it is complete, so the room for unverified bodies is bounded.
 */
export function inboundMailRoute(app: FastifyInstance, services: Services): void {
  const { MAIL_INBOUND_SECRET: secret } = services.config
  const reader = mailReader()
  const unverified = unverifiedBodies(services)
  app.addHook('onClose', () => reader.close())
  app.post(path, async (request, reply) => {
    if (!secret) throw NotFound()
    const signing = signatureOf(request, secret, services.realClock.now())
    const body = begin(request)
    try {
      const receipt = await receive(request, body, signing)
      return await reply.send({ status: 'success', code: 200, message: 'E-mail taken', data: receipt })
    } finally {
      body.end()
    }
  })

  /** Throws `BodyTooLarge` at once if Content-Length says so. */
  function begin(request: FastifyRequest): UnverifiedBody & { isDeclared: boolean } {
    const { headers, ip } = request
    const declared = headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
    if (declared !== undefined && declared > services.config.MAIL_MAX_BYTES) throw BodyTooLarge()
    const body = unverified.begin(plainAddress(ip))
    if (declared !== undefined) body.take(declared)
    return { ...body, isDeclared: declared !== undefined }
  }

  async function receive(
    request: FastifyRequest,
    body: ReturnType<typeof begin>,
    { hmac, requireGenuine }: Signing
  ): Promise<Receipt> {
    const { recipient, sender } = request.query as Record<string, string | string[] | undefined>
    const raw = request.raw.pipe(
      new Transform({
        transform(chunk: Buffer, _encoding, done) {
          try {
            if (!body.isDeclared) body.take(chunk.length)
          } catch (error) {
            done(error as Error)
            return
          }
          hmac.update(chunk)
          done(null, chunk)
        }
      })
    )
    request.raw.once('error', error => raw.destroy(error))
    request.raw.once('close', () => request.raw.complete || raw.destroy(new Error('The sender broke off')))
    const accept = () => {
      requireGenuine()
      body.verified()
    }
    return await receiveMail(
      { ...services, mailReader: reader },
      { raw, via: 'api', recipient: oneOf(recipient), sender: oneOf(sender), accept }
    ).catch(error => {
      request.raw.resume()
      if (error instanceof NoMessage) throw NotAMessage()
      if (error instanceof MessageTooLarge) throw BodyTooLarge()
      if (!(error instanceof Failure)) services.metrics.inboundMailFailures.inc({ via: 'api' })
      throw error
    })
  }
}

function oneOf(given: string | string[] | undefined): string | undefined {
  return [given].flat()[0]
}

interface Signing {
  /** Of the body, updated as it streams. */
  hmac: Hmac
  /** Throws `BadSignature`; called when the whole body has been read. */
  requireGenuine(): void
}

/** Throws `BadSignature` at once if the timestamp is too old or the signature malformed. */
function signatureOf(request: FastifyRequest, secret: string, now: Date): Signing {
  const header = (name: string) => oneOf(request.headers[`webhook-${name}`])
  const [id, timestamp, signature] = [header('id'), header('timestamp'), header('signature')]
  if (!id || !timestamp || !signature || !/^\d{1,12}$/.test(timestamp)) throw BadSignature()
  if (id.length + signature.length > maxHeaderCharacters || !signaturePattern.test(signature)) throw BadSignature()
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > toleranceSeconds) throw BadSignature()
  const hmac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`)
  return {
    hmac,
    requireGenuine() {
      const genuine = `v1,${hmac.digest('base64')}`
      if (!signature.split(' ').some(each => sameSecret(each, genuine))) throw BadSignature()
    }
  }
}

/** Decoded like the libraries of Standard Webhooks do. */
function keyOf(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
}
