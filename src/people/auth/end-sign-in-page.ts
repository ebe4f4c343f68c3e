import type { Population } from '../../core/tables/columns.ts'
import type { Language } from '../../core/wording/languages.ts'
import { smallPage } from '../../kit/small-page.ts'

/** The pages behind the link in an e-mail about a new device. */
export const endSignInPages = {
  /** Asks, since mail scanners open every link. */
  asking(language: Language): string {
    const { question, text, button } = wordsOf[language]
    return smallPage(question, `<p>${text}</p><form method="post"><button>${button}</button></form>`, language)
  },
  ended(language: Language, population: Population): string {
    const { ended, next, choose } = wordsOf[language]
    const forgot = population === 'staff' ? '/desk/forgot' : '/forgot'
    return smallPage(ended, `<p>${next}</p><p><a href="${forgot}">${choose}</a></p>`, language)
  },
  invalid(language: Language): string {
    const { invalid, older } = wordsOf[language]
    return smallPage(invalid, `<p>${older}</p>`, language)
  }
}

type Words = Record<'question' | 'text' | 'button' | 'ended' | 'next' | 'choose' | 'invalid' | 'older', string>

const wordsOf: Record<Language, Words> = {
  en: {
    question: 'End this session?',
    text: 'Whoever has signed in on the new device is signed out at once. Other devices stay signed in.',
    button: 'End the session',
    ended: 'The session has ended',
    next: 'Somebody may know your password, so choose a new one now. That ends all other sessions as well.',
    choose: 'Choose a new password',
    invalid: 'This link does not work any more',
    older: 'Sign in and end sessions in your account, or choose a new password, which ends all of them.'
  },
  de: {
    question: 'Diese Sitzung beenden?',
    text: 'Wer sich auf dem neuen Gerät angemeldet hat, wird sofort abgemeldet. Andere Geräte bleiben angemeldet.',
    button: 'Sitzung beenden',
    ended: 'Die Sitzung ist beendet',
    next: 'Vielleicht kennt jemand Ihr Passwort: Wählen Sie jetzt ein neues. Das beendet auch alle anderen Sitzungen.',
    choose: 'Neues Passwort wählen',
    invalid: 'Dieser Link funktioniert nicht mehr',
    older:
      'Melden Sie sich an und beenden Sie Sitzungen in Ihrem Konto, oder wählen Sie ein neues Passwort: Das beendet alle.'
  }
}
