import { type Static, Type } from 'typebox'
import type { Language } from '../../core/wording/languages.ts'
import { Flag, OutputText } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'
import type { ClientEmailView, clientEmailAndReach } from './client-email.ts'

/** What an answer of staff reaches, told before one writes it. */
export const Reach = Type.Object({
  // They have ended e-mails: the automatic ones, or all about tickets.
  is_unsubscribed: Flag(),
  // Whether an answer, or at least the word that there is one, reaches them by e-mail.
  will_reach: Flag(),
  // 1: what they write back is dropped, since the desk has blocked the sender.
  is_blocked: Flag(0),
  text: OutputText('Answers reach ada@example.com by e-mail.')
})

type State = Static<typeof ClientEmailView>['state']

const reaching: readonly State[] = ['sent', 'answers_only', 'notices_only']

type Facts = Awaited<ReturnType<typeof clientEmailAndReach>>

/** The same, in the words of a language, from what decides on e-mails to the client. */
export function reachOf(facts: Facts, language: Language): Static<typeof Reach> {
  const { client_email, hasUnsubscribed, isBlocked, isErased, isWithheld } = facts
  const { state, email, reason } = client_email
  const isReached = reaching.includes(state)
  const { states, elsewhere, notices } = texts[language]
  const end = elsewhere[state === 'inactive' ? 'never' : isWithheld ? 'withheld' : 'portal']
  const text = `${states[state](email, reason ?? '')}${isReached ? '' : end}`
  return {
    is_unsubscribed: bit(hasUnsubscribed),
    will_reach: bit(isReached),
    is_blocked: bit(isBlocked),
    text: isErased ? notices.erased : isBlocked ? `${text} ${notices.blocked}` : text
  }
}

interface Texts {
  states: Record<State, (email: string, reason: string) => string>
  /** Where the answer is if no e-mail tells of it: a ticket may be withheld from the account in the portal. */
  elsewhere: Record<'portal' | 'withheld' | 'never', string>
  notices: Record<'blocked' | 'erased', string>
}

const texts: Record<Language, Texts> = {
  en: {
    states: {
      sent: email => `Answers reach ${email} by e-mail.`,
      answers_only: email => `${email} has ended automatic e-mails. Answers still reach them by e-mail.`,
      notices_only: email =>
        `${email} is not verified: an e-mail says that there is an answer, which waits in the portal.`,
      unsubscribed: email => `${email} has unsubscribed and is not verified`,
      turned_off: email => `${email} has turned off e-mails about tickets`,
      limit_reached: email => `${email} was never verified and gets no more e-mails`,
      inactive: email => `The account of ${email} is deactivated`,
      bounced: (email, reason) => `E-mails to ${email} come back (${reason})`
    },
    elsewhere: {
      portal: ': the answer waits in the portal.',
      withheld: ', and the account has not proven this address: nothing reaches them.',
      never: ': nothing reaches them.'
    },
    notices: {
      blocked: 'E-mails from there are dropped: the sender is blocked.',
      erased: 'This client has been erased: nobody gets the answer.'
    }
  },
  de: {
    states: {
      sent: email => `Antworten erreichen ${email} per E-Mail.`,
      answers_only: email => `${email} hat automatische E-Mails abbestellt. Antworten kommen weiterhin per E-Mail an.`,
      notices_only: email =>
        `${email} ist nicht bestätigt: Eine E-Mail sagt nur, dass es eine Antwort gibt. Sie wartet im Portal.`,
      unsubscribed: email => `${email} hat E-Mails abbestellt und ist nicht bestätigt`,
      turned_off: email => `${email} hat E-Mails zu Tickets abgeschaltet`,
      limit_reached: email => `${email} wurde nie bestätigt und bekommt keine E-Mails mehr`,
      inactive: email => `Das Konto von ${email} ist deaktiviert`,
      bounced: (email, reason) => `E-Mails an ${email} kommen zurück (${reason})`
    },
    elsewhere: {
      portal: ': Die Antwort wartet im Portal.',
      withheld: ', und das Konto hat diese Adresse nicht bestätigt: Es kommt nichts an.',
      never: ': Es kommt nichts an.'
    },
    notices: {
      blocked: 'E-Mails von dort werden verworfen: Der Absender ist gesperrt.',
      erased: 'Dieser Kunde wurde gelöscht: Niemand bekommt die Antwort.'
    }
  }
}
