import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../kit/errors.ts'
import { escaped, smallPage, smallPageHeaders } from '../../kit/small-page.ts'
import { plainAddress } from '../../lib/network.ts'
import type { Services } from '../../services.ts'
import { confirmEmailFromFormer, emailToConfirm } from '../confirm-email.ts'

const title = 'Confirm an e-mail address'

/**
 * The page behind the link in the e-mail to a former address: it says which address is meant and has one button. Opening it changes
 * nothing, since mail programs open links to look into them. No endpoint of the kit, since it answers a page.
 */
export function confirmEmailPage(app: FastifyInstance, services: Services): void {
  app.route({
    method: 'GET',
    url: '/confirm-email',
    exposeHeadRoute: false,
    handler: (request, reply) =>
      answer(reply, async () => {
        const email = await emailToConfirm(services, tokenOf(request))
        return `<p>The e-mail address of your support account becomes <strong>${escaped(email)}</strong>.</p>
<p>If you did not ask for that, close this page and tell the support team.</p>
<form method="post"><button>Confirm the new address</button></form>`
      })
  })
  app.route({
    method: 'POST',
    url: '/confirm-email',
    handler: (request, reply) =>
      answer(reply, async () => {
        const caller = {
          ip: plainAddress(request.ip),
          userAgent: request.headers['user-agent'] ?? '',
          requestId: request.id
        }
        await confirmEmailFromFormer(services, tokenOf(request), caller)
        return '<p>The new e-mail address is confirmed.</p>'
      })
  })
}

function tokenOf(request: FastifyRequest): string {
  const { token } = request.query as { token?: unknown }
  return typeof token === 'string' ? token : ''
}

async function answer(reply: FastifyReply, content: () => Promise<string>): Promise<FastifyReply> {
  reply.headers(smallPageHeaders)
  try {
    return await reply.send(smallPage(title, await content()))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return await reply.code(error.status).send(smallPage(title, `<p>${escaped(error.message)}.</p>`))
  }
}
