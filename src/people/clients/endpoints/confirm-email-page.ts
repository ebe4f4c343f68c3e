import type { FastifyInstance } from 'fastify'
import type { Services } from '../../../core/services.ts'
import { serveLinkPage } from '../../../kit/link-page.ts'
import { escapeHtml } from '../../../kit/small-page.ts'
import { confirmEmailFromFormer, emailToConfirm } from '../confirm-email.ts'

/** The page behind the link in the e-mail to a former address: it says which new address is meant. */
export function confirmEmailPage(app: FastifyInstance, services: Services): void {
  serveLinkPage(app, {
    path: '/confirm-email',
    title: 'Confirm an e-mail address',
    async asks(token) {
      const email = await emailToConfirm(services, token)
      return `<p>The e-mail address of your support account becomes <strong>${escapeHtml(email)}</strong>.</p>
<p>If you did not ask for that, close this page and tell the support team.</p>
<form method="post"><button>Confirm the new address</button></form>`
    },
    async does(token, caller) {
      await confirmEmailFromFormer(services, token, caller)
      return '<p>The new e-mail address is confirmed.</p>'
    }
  })
}
