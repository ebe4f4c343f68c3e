import type { SendMailOptions } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { MailMessage } from './mail.ts'

/** An e-mail as RFC 5322 has it, with a text and an HTML part. */
export async function composed(message: MailMessage): Promise<Buffer> {
  return await new MailComposer(composition(message)).compile().build()
}

/** What nodemailer makes the e-mail of. Whatever a header holds is encoded: it never starts another. */
export function composition({ text, html, to, ...message }: MailMessage): SendMailOptions {
  return {
    ...message,
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

/** Plain ASCII goes as it is, so that a long link can be read and copied from the file; all else is encoded. */
function part(type: string, content: string) {
  const lines = content.split('\n')
  if (!lines.every(line => /^[\t\x20-\x7e]{0,998}$/.test(line))) return { content }
  return {
    raw: `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n${lines.join('\r\n')}`
  }
}
