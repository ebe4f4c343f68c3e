import type { Mail, MailMessage } from '../../src/platform/mail/mail.ts'
import type { TextMessage, Texts } from '../../src/platform/texts/texts.ts'

export interface Outbox {
  mail: Mail
  texts: Texts
  emails: MailMessage[]
  messages: TextMessage[]
}

/** The world outside: keeps what was sent to it. */
export function recordingOutbox(): Outbox {
  const emails: MailMessage[] = []
  const messages: TextMessage[] = []
  return {
    emails,
    messages,
    mail: { send: async message => `kept as ${emails.push(message)}` },
    texts: { reaches: () => true, send: async message => `kept as ${messages.push(message)}` }
  }
}
