import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { defaultAdmin } from '../../src/people/staff/first-admin.ts'
import { type ImapServer, imapServer } from '../support/imap-server.ts'
import { mailServer } from '../support/mail-server.ts'
import { callApi } from './call-api.ts'
import { eventually } from './eventually.ts'
import { type InstallationFactory, rowsOf, type TestInstallation } from './installations.ts'
import { type Service, startService } from './service.ts'
import { withInstallation } from './with-installation.ts'

const mailsARound = 15
const settledWithinSeconds = 300
const address = 'support@box.example'

/**
 * Kills the service at random moments while e-mails are fetched from a connected mailbox and their acknowledgements leave through it. In the end each
 * e-mail is one ticket, each ticket has its acknowledgement, and what the log called sent was never sent again.
 */
export async function killWithMailboxes(factory: InstallationFactory, rounds: number): Promise<string> {
  const imap = await imapServer()
  const smtp = await mailServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true })
  const calledSent = new Set<string>()
  const again: string[] = []
  smtp.onEmail = ({ email }) => {
    const ref = email.messageId!.replace(/^<|>$/g, '')
    if (calledSent.has(ref)) again.push(ref)
  }
  return await withInstallation(factory, async installation => {
    let service = await start(installation)
    await connect(service, imap, smtp.port)
    const subjects: string[] = []
    for (let round = 1; round <= rounds; round++) {
      for (let at = 0; at < mailsARound; at++) {
        const subject = `Mail ${round}.${at}`
        subjects.push(subject)
        imap.deliver(aMail(subject))
      }
      for (const strikesAt = Date.now() + 500 + Math.random() * 4_000; Date.now() < strikesAt; await pause(50))
        for (const ref of await sentByLog(installation)) calledSent.add(ref)
      await service.kill()
      imap.hangUp()
      service = await start(installation)
    }
    await eventually(settledWithinSeconds, 'a ticket and an acknowledgement for each e-mail', async () => {
      const { tickets, acknowledged } = await settled(installation)
      assert.deepEqual([tickets, acknowledged], [subjects.length, subjects.length])
    })
    const { subjects: known } = await settled(installation)
    assert.equal(known, subjects.length, 'each e-mail is one ticket')
    assert.deepEqual(again, [], 'what the log called sent never leaves again')
    assert.equal(await service.stop(), 0)
    const twice = smtp.emails.length - new Set(smtp.emails.map(({ email }) => email.messageId)).size
    return `${subjects.length} e-mails, ${rounds} kills: each is one ticket; ${smtp.emails.length} sent, ${twice} of them twice, none that the log had called sent`
  })
}

async function start(installation: TestInstallation): Promise<Service> {
  return await startService(installation, {
    MAILBOX_ALLOW_PRIVATE: '127.0.0.1',
    MAIL_DNS_SERVERS: 'off',
    IMAP_POLL_SECONDS: '5',
    NOTIFICATION_DELAY_SECONDS: '0'
  })
}

async function connect(service: Service, imap: ImapServer, smtpPort: number): Promise<void> {
  const { token } = await callApi(service.url, '/api/admin/auth/login', { body: defaultAdmin })
  const server = { host: '127.0.0.1', security: 'none', user: 'desk', password: 's3cret' }
  await callApi(service.url, '/api/admin/mail/mailboxes/create', {
    token,
    body: {
      name: 'Support',
      address,
      deptid: 1,
      acknowledges: 1,
      is_default: 1,
      imap: { ...server, port: imap.port },
      smtp: { ...server, port: smtpPort }
    }
  })
}

function aMail(subject: string): string {
  const id = randomBytes(8).toString('hex')
  return [
    `From: Sender <sender-${id}@people.example>`,
    `To: ${address}`,
    `Subject: ${subject}`,
    `Message-ID: <${id}@people.example>`,
    'Date: Fri, 20 Nov 2026 08:28:31 +0000',
    '',
    'The printer is on fire.',
    ''
  ].join('\r\n')
}

/** The Message-IDs of the e-mails that the log calls sent. */
async function sentByLog(installation: TestInstallation): Promise<string[]> {
  const rows = await rowsOf(
    installation,
    `select message_ref from mail_log where direction = 'out' and outcome in ('sent', 'delivered')`
  )
  return rows.map(row => row.message_ref)
}

async function settled(
  installation: TestInstallation
): Promise<Record<'tickets' | 'subjects' | 'acknowledged', number>> {
  const [row] = await rowsOf(
    installation,
    `select (select count(*)::int from tickets) as tickets, (select count(distinct subject)::int from tickets) as subjects,
       (select count(distinct ticket_id)::int from mail_log
         where direction = 'out' and outcome in ('sent', 'delivered') and kind = 'client-ticket') as acknowledged`
  )
  return row
}
