import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { Webhook } from 'standardwebhooks'
import { makeKeys } from '../../../src/core/keys.ts'
import { signedAddress } from '../../../src/mail/support-addresses/signed-address.ts'
import type { Desk } from './desk.ts'

const secret = `whsec_${Buffer.from('what signs e-mails in the tests of the pages').toString('base64')}`

/** With these a desk takes e-mails in over HTTP, and believes what this mail server has checked of their senders. */
export const inboundSettings = {
  MAIL_INBOUND_SECRET: secret,
  MAIL_TRUSTED_AUTH_HOSTS: 'mx.desk.example',
  MAIL_DNS_SERVERS: 'off'
}

interface Receipt {
  outcome: string
  reason?: string
  ticket_number?: string
}

/** As a provider hands it to the desk: what became of it. */
export async function receive({ url }: Desk, lines: string[]): Promise<Receipt> {
  const body = lines.join('\r\n')
  const now = new Date()
  const response = await fetch(`${url}/api/mail/inbound`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'message/rfc822',
      'webhook-id': `msg_${now.getTime()}`,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(`msg_${now.getTime()}`, now, body)
    }
  })
  const answer = (await response.json()) as { message: string; data: Receipt }
  if (!response.ok) throw new Error(`The e-mail was answered ${response.status}: ${answer.message}`)
  return answer.data
}

/** Where a report about the e-mail with this Message-ID is believed: its signed return address. */
export async function returnAddressOf({ dataDir }: Desk, messageId: string): Promise<string> {
  const secret = (await readFile(join(dataDir, 'app.key'), 'utf8')).trim()
  const id = Number(/<message-(\d+)\./.exec(messageId)![1])
  return signedAddress(makeKeys([secret]), 'email', id, 'support@desk.example')
}

/** Hands over an e-mail that names no sender, or one whom nobody knows: it is held. */
export async function receiveHeldMail(desk: Desk, subject: string, from?: string): Promise<void> {
  const head = [...(from ? [`From: ${from}`] : []), 'To: support@desk.example', `Subject: ${subject}`]
  const receipt = await receive(desk, [...head, '', 'Who am I?', ''])
  expect(receipt).toMatchObject({ outcome: 'held', reason: from ? 'unknown_sender' : 'no_sender' })
}

/** The server of the other side tells that nobody has the address to which the e-mail went. */
export async function nobodyHas(desk: Desk, email: string, pattern: RegExp): Promise<void> {
  const { messageId } = await desk.outbox.emailTo(email, pattern)
  await receive(desk, [
    'From: MAILER-DAEMON@mx.example.com',
    `To: ${await returnAddressOf(desk, messageId)}`,
    'Subject: Delivery report',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=r',
    '',
    '--r',
    'Content-Type: text/plain',
    '',
    'A report.',
    '--r',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.com',
    '',
    `Final-Recipient: rfc822; ${email}`,
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
    '',
    '--r',
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: ${messageId}`,
    '--r--',
    ''
  ])
}
