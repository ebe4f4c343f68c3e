import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountName } from '../../actor.ts'
import { admits, restrictionOf } from '../../endpoint.ts'
import { NoSuchExport } from '../../erasure/export-client.ts'
import { fileHeaders } from '../../kit/file-headers.ts'
import { attachmentDisposition } from '../../lib/content-disposition.ts'
import type { Services } from '../../services.ts'
import { staffActorOf } from '../../sessions/actor-of.ts'
import { auditExport, auditExportAt } from '../audit-export.ts'

/** The file behind the link of audit/export. No endpoint of the kit, since it answers bytes. */
export function auditExportRoute(app: FastifyInstance, services: Services): void {
  app.route({
    method: 'GET',
    url: '/exports/audit',
    exposeHeadRoute: false,
    handler: (request, reply) => sendAudit(services, request, reply)
  })
}

async function sendAudit(services: Services, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const link = auditExportAt(services, request.query as Record<string, unknown>)
  const actor = link && (await staffActorOf(services.db, { session: link.session, account: link.staff }))
  if (!actor || restrictionOf(actor) || !admits('admin', actor)) throw NoSuchExport()
  request.account = accountName(actor)
  reply.headers({
    ...fileHeaders,
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': attachmentDisposition('audit-log.csv')
  })
  return reply.send(auditExport(services, link.filter))
}
