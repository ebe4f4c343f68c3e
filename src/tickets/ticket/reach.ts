import { type Static, Type } from 'typebox'
import type { Language } from '../../core/wording/languages.ts'
import { Flag, OutputText } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'
import type { ClientEmailView } from './client-email.ts'

/** What an answer of staff reaches, told before one writes it. */
export const Reach = Type.Object({
  // They have ended e-mails: the automatic ones, or all about tickets.
  is_unsubscribed: Flag(),
  // Whether an answer, or at least the word that there is one, reaches them by e-mail.
  will_reach: Flag(),
  text: OutputText('Answers reach ada@example.com by e-mail.')
})

type State = Static<typeof ClientEmailView>['state']

const reaching: readonly State[] = ['sent', 'answers_only', 'notices_only']
const unsubscribed: readonly State[] = ['answers_only', 'unsubscribed', 'turned_off']

/** The same, in the words of a language, from what the client gets by e-mail. */
export function reachOf(
  { state, email, reason }: Static<typeof ClientEmailView>,
  language: Language
): Static<typeof Reach> {
  return {
    is_unsubscribed: bit(unsubscribed.includes(state)),
    will_reach: bit(reaching.includes(state)),
    text: texts[language][state](email, reason ?? '')
  }
}

const texts: Record<Language, Record<State, (email: string, reason: string) => string>> = {
  en: {
    sent: email => `Answers reach ${email} by e-mail.`,
    answers_only: email => `${email} has ended automatic e-mails. Answers still reach them by e-mail.`,
    notices_only: email =>
      `${email} is not verified: an e-mail says that there is an answer, which waits in the portal.`,
    unsubscribed: email =>
      `${email} has unsubscribed and is not verified: nothing reaches them by e-mail, and the answer waits in the portal.`,
    turned_off: email => `${email} has turned off e-mails about tickets: the answer waits in the portal.`,
    limit_reached: email => `${email} was never verified and gets no more e-mails: the answer waits in the portal.`,
    inactive: email => `The account of ${email} is deactivated: nothing reaches them.`,
    bounced: (email, reason) => `E-mails to ${email} come back (${reason}): the answer waits in the portal.`
  },
  de: {
    sent: email => `Antworten erreichen ${email} per E-Mail.`,
    answers_only: email => `${email} hat automatische E-Mails abbestellt. Antworten kommen weiterhin per E-Mail an.`,
    notices_only: email =>
      `${email} ist nicht bestätigt: Eine E-Mail sagt nur, dass es eine Antwort gibt. Sie wartet im Portal.`,
    unsubscribed: email =>
      `${email} hat E-Mails abbestellt und ist nicht bestätigt: Per E-Mail kommt nichts an. Die Antwort wartet im Portal.`,
    turned_off: email => `${email} hat E-Mails zu Tickets abgeschaltet: Die Antwort wartet im Portal.`,
    limit_reached: email =>
      `${email} wurde nie bestätigt und bekommt keine E-Mails mehr: Die Antwort wartet im Portal.`,
    inactive: email => `Das Konto von ${email} ist deaktiviert: Es kommt nichts an.`,
    bounced: (email, reason) => `E-Mails an ${email} kommen zurück (${reason}): Die Antwort wartet im Portal.`
  }
}
