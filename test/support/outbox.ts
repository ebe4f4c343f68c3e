import type { Mail, MailMessage } from '../../src/platform/mail/mail.ts'
import type { TextMessage, Texts } from '../../src/platform/texts/texts.ts'

export interface Outbox {
  mail: Mail
  texts: Texts
  letters: MailMessage[]
  messages: TextMessage[]
}

/** The world outside: keeps what was sent to it. */
export function recordingOutbox(): Outbox {
  const letters: MailMessage[] = []
  const messages: TextMessage[] = []
  return {
    letters,
    messages,
    mail: { send: async message => `kept as ${letters.push(message)}` },
    texts: { reaches: () => true, send: async message => `kept as ${messages.push(message)}` }
  }
}
