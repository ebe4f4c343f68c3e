import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../kit/errors.ts'
import { escaped, smallPage, smallPageHeaders } from '../../kit/small-page.ts'
import { plainAddress } from '../../lib/network.ts'
import type { Services } from '../../services.ts'
import { confirmTicket, ticketToConfirm } from '../confirm-ticket.ts'

const title = 'Confirm your ticket'
const path = '/confirm-ticket'

/**
 * The page behind the link that confirms a ticket: it shows what was written and has one button. Opening it changes nothing, since mail
 * programs open links to look into them. No endpoint of the kit, since it answers a page.
 */
export function confirmTicketPage(app: FastifyInstance, services: Services): void {
  app.get(path, { exposeHeadRoute: false }, (request, reply) =>
    answer(reply, async () => {
      const { subject, message } = await ticketToConfirm(services, tokenOf(request))
      return `<p>This was written with your e-mail address. If it was not you, close this page: nothing is sent.</p>
<h2>${escaped(subject)}</h2>
<p>${escaped(message).replaceAll('\n', '<br>')}</p>
<form method="post"><button>Send it to the support team</button></form>`
    })
  )
  app.post(path, (request, reply) =>
    answer(reply, async () => {
      const caller = {
        ip: plainAddress(request.ip),
        userAgent: request.headers['user-agent'] ?? '',
        requestId: request.id
      }
      const number = await confirmTicket(services, tokenOf(request), caller)
      return `<p>We have it. ${escaped(number)} is its number. You get our answer by e-mail.</p>
<p><a href="/tickets">Your tickets</a></p>`
    })
  )
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
