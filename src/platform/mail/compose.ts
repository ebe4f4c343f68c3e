import type { SendMailOptions } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { MailAttachment, MailMessage } from './mail.ts'

/** An e-mail as RFC 5322 has it, with a text and an HTML part. */
export async function composed(message: MailMessage): Promise<Buffer> {
  return await new MailComposer(composition(message)).compile().build()
}

/** What nodemailer makes the e-mail of. Whatever a header holds is encoded: it never starts another. */
export function composition({
  text,
  html,
  to,
  returnPath,
  attachments,
  wantsReport,
  ...message
}: MailMessage): SendMailOptions {
  return {
    ...message,
    ...(returnPath ? { envelope: { from: returnPath, to: [to] } } : {}),
    ...(attachments?.length ? { attachments: attachments.map(attached) } : {}),
    // A server that does not offer reports is not asked for one.
    ...(wantsReport
      ? { dsn: { id: message.messageId, return: 'headers', notify: ['success', 'failure', 'delay'], recipient: to } }
      : {}),
    // As an object it is one address, whatever commas it holds.
    to: { name: '', address: to },
    text: part('text/plain', text),
    html: part('text/html', html),
    newline: 'windows',
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true
  }
}

/** In base64 whatever it is, so that no server on the way changes a byte of it. */
function attached({ name, type, content, contentId }: MailAttachment): NonNullable<SendMailOptions['attachments']>[0] {
  return {
    filename: name,
    // A message within a message may not be encoded, and text would have to say its charset, which nobody knows.
    contentType: /^(message|text|multipart)\//.test(type) ? 'application/octet-stream' : type,
    content,
    contentTransferEncoding: 'base64',
    contentDisposition: contentId ? 'inline' : 'attachment',
    ...(contentId ? { cid: contentId } : {})
  }
}

/** Plain ASCII goes as it is, so that a long link can be read and copied from the file; all else is encoded. */
function part(type: string, content: string) {
  const lines = content.split('\n')
  if (!lines.every(line => /^[\t\x20-\x7e]{0,998}$/.test(line))) return { content }
  return {
    raw: `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n${lines.join('\r\n')}`
  }
}
