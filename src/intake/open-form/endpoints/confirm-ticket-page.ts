import type { FastifyInstance } from 'fastify'
import type { Services } from '../../../core/services.ts'
import { serveLinkPage } from '../../../kit/link-page.ts'
import { escapeHtml } from '../../../kit/small-page.ts'
import { confirmTicket, ticketToConfirm } from '../confirm-ticket.ts'

/** The page behind the link that confirms a ticket, which shows its text. */
export function confirmTicketPage(app: FastifyInstance, services: Services): void {
  serveLinkPage(app, {
    path: '/confirm-ticket',
    title: 'Confirm your ticket',
    async asks(token) {
      const { subject, message } = await ticketToConfirm(services, token)
      return `<p>This was written with your e-mail address. If it was not you, close this page: nothing is sent.</p>
<h2>${escapeHtml(subject)}</h2>
<p>${escapeHtml(message).replaceAll('\n', '<br>')}</p>
<form method="post"><button>Send it to the support team</button></form>`
    },
    async does(token, caller) {
      const number = await confirmTicket(services, token, caller)
      return `<p>We have it. ${escapeHtml(number)} is its number. You get our answer by e-mail.</p>
<p><a href="/tickets">Your tickets</a></p>`
    }
  })
}
