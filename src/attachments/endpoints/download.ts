import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountName } from '../../actor.ts'
import { restrictionOf } from '../../endpoint.ts'
import { failure } from '../../kit/errors.ts'
import { fileHeaders } from '../../kit/file-headers.ts'
import { sentContent } from '../../kit/sent-content.ts'
import { rangeOfVersion } from '../../lib/byte-range.ts'
import { attachmentDisposition } from '../../lib/content-disposition.ts'
import { namesVersion } from '../../lib/entity-tag.ts'
import type { Services } from '../../services.ts'
import { actorOf } from '../../sessions/actor-of.ts'
import { type Attachment, contentOf, FileNotFound, linkAtStore } from '../attachment-for.ts'
import { actorOfLink } from '../download-links.ts'
import { fileFor } from '../note-files.ts'
import { checkIsClean } from '../scan-attachment.ts'

const NoSuchPart = failure(416, 'range_not_satisfiable', 'The file has no such part')

/** The files behind `file_path` (decision 29). No endpoint of the kit, since it answers bytes and its address is not below /api. */
export function downloadRoute(app: FastifyInstance, services: Services): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/uploads/tickets/:folder/:name',
    handler: (request, reply) => download(services, request, reply)
  })
}

async function download(services: Services, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { folder, name } = request.params as { folder: string; name: string }
  const attachment = await permitted(services, `/uploads/tickets/${folder}/${name}`, request)
  checkIsClean(attachment)
  const { file_size: sizeBytes } = attachment
  const etag = `"${attachment.sha256}"`

  if (namesVersion(request.headers['if-none-match'], etag)) {
    return reply.code(304).headers({ etag, 'cache-control': fileHeaders['cache-control'] }).send()
  }
  const range = request.method === 'GET' ? rangeOfVersion(request.headers, etag, sizeBytes) : undefined
  if (range === 'unsatisfiable') throw NoSuchPart({ headers: { 'content-range': `bytes */${sizeBytes}` } })

  const link = request.method === 'GET' && (await linkAtStore(services, attachment))
  if (link) return reply.header('cache-control', fileHeaders['cache-control']).redirect(link)

  const stream = await contentOf(services, attachment, range)
  reply.headers({
    ...fileHeaders,
    'accept-ranges': 'bytes',
    etag,
    'content-type': attachment.file_type,
    'content-disposition': attachmentDisposition(attachment.file_name),
    'content-length': range ? range.end - range.start + 1 : sizeBytes
  })
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${sizeBytes}`)
  if (request.method !== 'HEAD') return reply.send(sentContent(stream))
  stream.destroy()
  return reply.send()
}

/** Without a right to it there is no such file: never 401 or 403, which would tell that there is. */
async function permitted(services: Services, path: string, request: FastifyRequest): Promise<Attachment> {
  const { db } = services
  const actor =
    (await actorOfLink(services, path, request.query as object)) ??
    (await actorOf(services, request.headers.authorization))
  if (!actor || restrictionOf(actor)) throw FileNotFound()
  request.account = accountName(actor)
  return await fileFor(db, actor, path)
}
