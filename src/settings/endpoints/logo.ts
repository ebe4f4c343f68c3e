import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fileHeaders } from '../../kit/file-headers.ts'
import { namesVersion } from '../../lib/entity-tag.ts'
import type { Services } from '../../services.ts'
import { logoNamed } from '../logo.ts'

/** The logo, for anybody. No endpoint of the kit, since it answers bytes and its address is not below /api. */
export function logoRoute(app: FastifyInstance, services: Services): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/branding/logo/:name',
    handler: (request, reply) => sendLogo(services, request, reply)
  })
}

async function sendLogo({ db }: Services, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { content, type, sha256 } = await logoNamed(db, (request.params as { name: string }).name)
  const etag = `"${sha256}"`
  // Its address holds its digest: under it there is never anything else.
  reply.headers({
    ...fileHeaders,
    'cache-control': 'public, max-age=31536000, immutable',
    etag,
    // Pages of other origins may show it: it is for everybody.
    'cross-origin-resource-policy': 'cross-origin'
  })
  if (namesVersion(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.headers({ 'content-type': type, 'content-disposition': 'inline' }).send(content)
}
