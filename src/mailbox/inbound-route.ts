import { createHmac } from 'node:crypto'
import { Transform } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BodyTooLarge, Failure, failure, NotFound } from '../kit/errors.ts'
import { mailReader } from '../platform/mail-reading/mail-reader.ts'
import { sameSecret } from '../platform/secrets/same-secret.ts'
import type { Services } from '../services.ts'
import { MessageTooLarge } from './raw-digests.ts'
import { receiveMail } from './receive-mail.ts'
import { NoMessage } from './store-mail.ts'

const path = '/api/mail/inbound'
/** A signature of another day may have been overheard. */
const toleranceSeconds = 300

const BadSignature = failure(401, 'bad_signature', 'The signature of this e-mail is not valid')
const NotAMessage = failure(400, 'no_message', 'The body is no e-mail')

/**
 * Takes a raw e-mail in for a provider, who signs it as our own webhooks are signed (Standard Webhooks) with MAIL_INBOUND_SECRET. It is
 * read as it streams: whatever its content type, the body is the message. Without that setting there is no such address.
 */
export function inboundMailRoute(app: FastifyInstance, services: Services): void {
  const { MAIL_INBOUND_SECRET: secret } = services.config
  const reader = mailReader()
  app.addHook('onClose', () => reader.close())
  app.post(path, async (request, reply) => {
    if (!secret) throw NotFound()
    const signing = signatureOf(request, secret, services.clock.now())
    const { recipient, sender } = request.query as Record<string, string | string[] | undefined>
    const raw = request.raw.pipe(signing.stream)
    request.raw.once('error', error => signing.stream.destroy(error))
    request.raw.once('close', () => request.raw.complete || signing.stream.destroy(new Error('The sender broke off')))
    const receipt = await receiveMail(
      { ...services, mailReader: reader },
      { raw, via: 'api', recipient: oneOf(recipient), sender: oneOf(sender), accept: signing.requireGenuine }
    ).catch(error => {
      request.raw.resume()
      if (error instanceof NoMessage) throw NotAMessage()
      if (error instanceof MessageTooLarge) throw BodyTooLarge()
      if (!(error instanceof Failure)) services.metrics.inboundMailFailures.inc({ via: 'api' })
      throw error
    })
    return await reply.send({ status: 'success', code: 200, message: 'E-mail taken', data: receipt })
  })
}

function oneOf(given: string | string[] | undefined): string | undefined {
  return [given].flat()[0]
}

/** Works out the signature of the body that passes, and judges once it has. Throws `BadSignature` at once for what is too old. */
function signatureOf(request: FastifyRequest, secret: string, now: Date) {
  const header = (name: string) => oneOf(request.headers[`webhook-${name}`])
  const [id, timestamp, signature] = [header('id'), header('timestamp'), header('signature')]
  if (!id || !timestamp || !signature || !/^\d{1,12}$/.test(timestamp)) throw BadSignature()
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > toleranceSeconds) throw BadSignature()
  const hmac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`)
  return {
    stream: new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hmac.update(chunk)
        done(null, chunk)
      }
    }),
    requireGenuine() {
      const genuine = `v1,${hmac.digest('base64')}`
      if (!signature.split(' ').some(each => sameSecret(each, genuine))) throw BadSignature()
    }
  }
}

/** As the libraries of Standard Webhooks read it. */
function keyOf(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
}
