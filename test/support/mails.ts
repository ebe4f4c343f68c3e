import { Readable } from 'node:stream'
import { after } from 'node:test'
import type { Receipt } from '../../src/intake/mailbox/receipt.ts'
import { receiveMail } from '../../src/intake/mailbox/receive-mail.ts'
import type { Incoming } from '../../src/intake/mailbox/store-mail.ts'
import { mailReader } from '../../src/platform/mail-reading/mail-reader.ts'
import type { Desk } from './desk.ts'

let count = 0

/** A raw e-mail with these headers beside the usual ones; null leaves one out. */
export function aMail(headers: Record<string, string | null> = {}, body = 'The printer is on fire.\n'): string {
  const all = {
    From: 'Ada Lovelace <ada@example.com>',
    To: 'support@desk.example',
    Subject: 'The printer',
    Date: 'Fri, 20 Nov 2026 08:28:31 +0000',
    'Message-ID': `<mail-${++count}.x@example.com>`,
    ...headers
  }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
  return `${lines.join('\r\n')}\r\n\r\n${body.replaceAll('\n', '\r\n')}`
}

export type Receive = (raw: string | Buffer, envelope?: { recipient?: string; sender?: string }) => Promise<Receipt>

/** Takes e-mails in as `deskline receive` does. */
export function receiverOf(desk: Desk, options: Pick<Incoming, 'cutsTooLarge'> = {}): Receive {
  const reader = mailReader()
  after(() => reader.close())
  return (raw, envelope = {}) =>
    receiveMail(
      { ...desk.services, mailReader: reader },
      { raw: Readable.from([Buffer.from(raw as string)]), via: 'command', ...options, ...envelope }
    )
}
