import { after } from 'node:test'
import { keepFetching } from '../../src/intake/mailbox/keep-fetching.ts'
import { routedMail } from '../../src/mail/mailboxes/routed-mail.ts'
import { smtpMail } from '../../src/platform/mail/smtp.ts'
import { bootDesk } from './desk.ts'
import { mailServer } from './mail-server.ts'
import { localMailServers } from './mailboxes.ts'
import { anAdmin } from './people.ts'

/** A desk that sends through a server of its operator or through connected mailboxes, and fetches these as long as a test wants. */
export async function bootMailboxesDesk() {
  const operator = await mailServer({ disabledCommands: ['STARTTLS'] })
  const usual = smtpMail({ address: { host: '127.0.0.1', port: operator.port, encryption: 'none' } })
  const desk = await bootDesk({
    connections: 8,
    config: {
      IMAP_URL: [],
      IMAP_POLL_SECONDS: 1,
      NOTIFICATION_DELAY_SECONDS: 0,
      MAIL_FROM: 'Example <desk@operator.example>',
      ...localMailServers
    }
  })
  const admin = await anAdmin(desk)
  const mail = routedMail(desk.services, { mail: usual, isServer: true })
  Object.assign(desk.services, { mail })
  after(() => {
    mail.close()
    usual.close()
  })
  const mailsFrom = async (sender: string) =>
    await desk.db
      .selectFrom('inbound_mails')
      .leftJoin('tickets', 'tickets.id', 'inbound_mails.ticket_id')
      .where('sender', '=', sender)
      .select(['state', 'reason', 'mailbox_id', 'tickets.department_id', 'ticket_id'])
      .orderBy('inbound_mails.id')
      .execute()

  return {
    ...{ desk, admin, mail, operator, usual, mailsFrom },
    /** A process that fetches all mailboxes until the test has stopped it. */
    aProcess() {
      const end = new AbortController()
      const ended = keepFetching(desk.services, end.signal, { firstWaitMilliseconds: 20, renewLeaseMilliseconds: 100 })
      const stop = async () => {
        end.abort()
        await ended
      }
      after(stop)
      return stop
    },
    isSettled: async (sender: string, count = 1) =>
      (await mailsFrom(sender)).filter(({ state }) => state !== 'received').length >= count,
    stateOf: async (id: number) => (await desk.post('/api/admin/mail/mailboxes/detail', admin, { id })).data.mailbox
  }
}
