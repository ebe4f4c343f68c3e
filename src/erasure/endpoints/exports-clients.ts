import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountName } from '../../actor.ts'
import { restrictionOf } from '../../endpoint.ts'
import { fileHeaders } from '../../kit/file-headers.ts'
import { attachmentDisposition } from '../../lib/content-disposition.ts'
import type { Services } from '../../services.ts'
import { staffActorOf } from '../../sessions/actor-of.ts'
import { exportClient, NoSuchExport } from '../export-client.ts'
import { exportLinkAt } from '../export-links.ts'

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
  const { id } = request.params as { id: string }
  const link = exportLinkAt(services, id, request.query as Record<string, unknown>)
  const actor = link && (await staffActorOf(services.db, { session: link.session, account: link.staff }))
  if (!actor || restrictionOf(actor)) throw NoSuchExport()
  request.account = accountName(actor)
  const archive = await exportClient(services, actor, link.client)
  reply.headers({
    ...fileHeaders,
    'content-type': 'application/gzip',
    'content-disposition': attachmentDisposition(`client-${link.client}.tar.gz`)
  })
  return reply.send(archive)
}
