import type { SendMailOptions } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { MailAttachment, MailMessage } from './mail.ts'

/** An e-mail in the format of RFC 5322, with a text and an HTML part. */
export async function composed(message: MailMessage): Promise<Buffer> {
  return await new MailComposer(composition(message)).compile().build()
}

/** The input of nodemailer. Header values are encoded, so that they never start another header. */
export function composition({
  text,
  html,
  to,
  shownTo = [],
  shownCc = [],
  from,
  returnPath,
  otherReturnPath: _,
  attachments,
  wantsReport,
  ...message
}: MailMessage): SendMailOptions {
  return {
    ...message,
    from,
    ...(returnPath || shownTo.length + shownCc.length > 0
      ? { envelope: { from: returnPath ?? addressIn(from), to: [to] } }
      : {}),
    ...(attachments?.length ? { attachments: attachments.map(attached) } : {}),
    // A server without support for delivery reports is not asked for one.
    ...(wantsReport
      ? { dsn: { id: message.messageId, return: 'headers', notify: ['success', 'failure', 'delay'], recipient: to } }
      : {}),
    // As an object it is one address, even with commas in it.
    to: shownTo.length > 0 ? shownTo.map(named) : named(to),
    ...(shownCc.length > 0 ? { cc: shownCc.map(named) } : {}),
    text: part('text/plain', text),
    html: part('text/html', html),
    newline: 'windows',
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true
  }
}

function named(address: string) {
  return { name: '', address }
}

function addressIn(sender: MailMessage['from']): string {
  return typeof sender === 'string' ? (/<([^<>]*)>\s*$/.exec(sender)?.[1] ?? sender) : sender.address
}

/** Always in base64, so that no server on the way changes a byte. */
function attached({ name, type, content, contentId }: MailAttachment): NonNullable<SendMailOptions['attachments']>[0] {
  return {
    filename: name,
    // A message part may not be encoded, and a text part needs a charset, which is unknown.
    contentType: /^(message|text|multipart)\//.test(type) ? 'application/octet-stream' : type,
    content,
    contentTransferEncoding: 'base64',
    contentDisposition: contentId ? 'inline' : 'attachment',
    ...(contentId ? { cid: contentId } : {})
  }
}

/** Plain ASCII is not encoded, so that a long link can be copied from the file. */
function part(type: string, content: string) {
  const lines = content.split('\n')
  if (!lines.every(line => /^[\t\x20-\x7e]{0,998}$/.test(line))) return { content }
  return {
    raw: `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n${lines.join('\r\n')}`
  }
}
