import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { showLoggedMail } from './endpoints/admin-mail-log-detail.ts'
import { exportMailLog } from './endpoints/admin-mail-log-export.ts'
import { listMailLog } from './endpoints/admin-mail-log-list.ts'
import { processLoggedMail } from './endpoints/admin-mail-log-process.ts'
import { linkRawMail } from './endpoints/admin-mail-log-raw-link.ts'
import { sendLoggedMail } from './endpoints/admin-mail-log-send.ts'
import { testRule } from './endpoints/admin-rules-test.ts'
import { listTicketEmails } from './endpoints/admin-tickets-emails.ts'

export const mailLogEndpoints: readonly AnyEndpoint[] = [
  listMailLog,
  showLoggedMail,
  linkRawMail,
  processLoggedMail,
  sendLoggedMail,
  exportMailLog,
  testRule,
  listTicketEmails
]
