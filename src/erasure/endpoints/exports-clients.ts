import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { failure } from '../../kit/errors.ts'
import { fileHeaders } from '../../kit/file-headers.ts'
import { attachmentDisposition } from '../../lib/content-disposition.ts'
import type { Services } from '../../services.ts'
import { exportClient, exportedClient } from '../export-client.ts'

const NoSuchExport = failure(404, 'There is no such file')

/** The archive behind the link of clients/export. No endpoint of the kit, since it answers bytes. */
export function exportRoute(app: FastifyInstance, services: Services): void {
  app.route({
    method: 'GET',
    url: '/exports/clients/:id',
    exposeHeadRoute: false,
    handler: (request, reply) => sendExport(services, request, reply)
  })
}

async function sendExport(services: Services, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const id = exportedClient(services, (request.params as { id: string }).id, request.query as object)
  if (id === undefined) throw NoSuchExport()
  const archive = await exportClient(services, id)
  reply.headers({
    ...fileHeaders,
    'content-type': 'application/gzip',
    'content-disposition': attachmentDisposition(`client-${id}.tar.gz`)
  })
  return reply.send(archive)
}
