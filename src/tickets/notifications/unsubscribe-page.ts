import type { Language } from '../../core/wording/languages.ts'
import { smallPage } from '../../kit/small-page.ts'

/** The pages behind the links that end e-mails. */
export type UnsubscribePageName =
  | 'invalid'
  | 'ended'
  | 'question'
  | 'ratingsEnded'
  | 'ratingsQuestion'
  | 'unfollowed'
  | 'unfollowQuestion'

export function unsubscribePage(name: UnsubscribePageName, language: Language): string {
  const { title, text, button } = pages[language][name]
  // Without an action the form posts to the URL of the page, including the token.
  const form = button ? `<form method="post"><button type="submit">${button}</button></form>` : ''
  return smallPage(title, `${text ? `<p>${text}</p>` : ''}${form}`, language)
}

interface Page {
  title: string
  text?: string
  button?: string
}

const pages: Record<Language, Record<UnsubscribePageName, Page>> = {
  en: {
    invalid: {
      title: 'This link does not stop any e-mails',
      text: 'It may be an old one: a newer e-mail has one that works.'
    },
    ended: {
      title: 'You get no more automatic e-mails about your tickets',
      text: 'What the support team writes to you still comes, and so do e-mails about the safety of your account. You can change this in your account.'
    },
    question: {
      title: 'No more automatic e-mails about your tickets?',
      text: 'They tell you that a ticket has arrived or was closed, or ask how our help was. Answers of the support team still come.',
      button: 'Stop these e-mails'
    },
    ratingsQuestion: {
      title: 'No more questions about our help?',
      text: 'When a ticket is closed, we ask how our help was. All other e-mails about your tickets still come.',
      button: 'Do not ask me again'
    },
    ratingsEnded: {
      title: 'We do not ask you again',
      text: 'All other e-mails about your tickets still come. You can change this in your account.'
    },
    unfollowed: {
      title: 'You get no more e-mails about this ticket',
      text: 'If you want them again, ask the support desk to add you.'
    },
    unfollowQuestion: { title: 'No more e-mails about this ticket?', button: 'Stop these e-mails' }
  },
  de: {
    invalid: {
      title: 'Dieser Link bestellt keine E-Mails ab',
      text: 'Vielleicht ist er alt: In einer neueren E-Mail steht einer, der funktioniert.'
    },
    ended: {
      title: 'Sie bekommen keine automatischen E-Mails mehr über Ihre Tickets',
      text: 'Was das Support-Team Ihnen schreibt, kommt weiterhin, ebenso E-Mails zur Sicherheit Ihres Kontos. In Ihrem Konto können Sie das ändern.'
    },
    question: {
      title: 'Keine automatischen E-Mails mehr über Ihre Tickets?',
      text: 'Sie sagen, dass ein Ticket angekommen ist oder geschlossen wurde, oder fragen, wie unsere Hilfe war. Antworten des Support-Teams kommen weiterhin.',
      button: 'Diese E-Mails abbestellen'
    },
    ratingsQuestion: {
      title: 'Nicht mehr fragen, wie unsere Hilfe war?',
      text: 'Wenn ein Ticket geschlossen wurde, fragen wir, wie unsere Hilfe war. Alle anderen E-Mails zu Ihren Tickets kommen weiterhin.',
      button: 'Nicht mehr fragen'
    },
    ratingsEnded: {
      title: 'Wir fragen Sie nicht mehr',
      text: 'Alle anderen E-Mails zu Ihren Tickets kommen weiterhin. In Ihrem Konto können Sie das ändern.'
    },
    unfollowed: {
      title: 'Sie bekommen keine E-Mails mehr zu diesem Ticket',
      text: 'Wenn Sie sie wieder möchten, bitten Sie den Support, Sie hinzuzufügen.'
    },
    unfollowQuestion: { title: 'Keine E-Mails mehr zu diesem Ticket?', button: 'Diese E-Mails abbestellen' }
  }
}
