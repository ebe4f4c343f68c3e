import type { Rating } from '../../core/tables/csat.ts'
import type { Language } from '../../core/wording/languages.ts'
import { escapeHtml, smallPage } from '../../kit/small-page.ts'
import { secondsAfter } from '../../lib/time.ts'
import { changeSeconds, type Survey } from './surveys.ts'

interface Words {
  title: string
  good: string
  bad: string
  more: string
  optional: string
  who: string
  send: string
  nothingYet: string
  thanks: string
  until(day: string): string
  wrong: string
  again: string
  write: string
  gone: string
  still: string
  toTickets: string
  closed: string
  chooseOne: string
}

type State = 'asks' | 'thanks' | 'closed' | 'unchosen'

/** What the page behind a rating link shows. */
interface RatingPage {
  survey: Survey
  chosen?: Rating | undefined
  state?: State
  language: Language
  /** The address of the desk. */
  desk: string
  now: Date
}

/** The page behind the links of a rating e-mail. What the link says is chosen already; only its button votes (Q1). */
export function ratingPage({ survey, chosen, state = 'asks', language, desk, now }: RatingPage): string {
  const words = wordings[language]
  const about = `<p>${escapeHtml(survey.subject)} <small>${escapeHtml(survey.ticket_number)}</small></p>`
  const ticket = `${desk}/tickets/${survey.ticket_number}`
  if (state === 'closed') return smallPage(words.closed, `${about}${link(ticket, words.wrong)}`, language)
  const rating = chosen ?? survey.rating ?? undefined
  const choice = (value: Rating) =>
    `<label class="choice"><input type="radio" name="rating" value="${value}" required${rating === value ? ' checked' : ''}> ` +
    `<span aria-hidden="true">${value === 'good' ? '👍' : '👎'}</span> ${words[value]}</label>`
  const changeable = words.until(dayText(secondsAfter(survey.rated_at ?? now, changeSeconds), language))
  const note =
    state === 'unchosen'
      ? `<p role="alert">${words.chooseOne}</p>`
      : state === 'thanks'
        ? `<p role="status">${words.thanks} ${changeable}</p>`
        : ''
  const form =
    `<form method="post" class="card">${note}<fieldset><legend class="hidden">${words.title}</legend>${choice('good')}${choice('bad')}</fieldset>` +
    `<p><label for="comment">${words.more}</label> <small>${words.optional}</small>` +
    `<textarea id="comment" name="comment" rows="4" maxlength="2000" aria-describedby="who">${escapeHtml(survey.comment ?? '')}</textarea>` +
    `<small id="who">${words.who}</small></p>` +
    `<button type="submit">${words.send}</button>` +
    `${state === 'thanks' ? '' : `<p><small>${words.nothingYet} ${changeable}</small></p>`}</form>`
  const after =
    state === 'thanks' && rating === 'bad'
      ? `<p>${words.again} ${link(ticket, words.write)}</p>`
      : link(ticket, words.wrong)
  return smallPage(words.title, `${about}${form}${after}`, language)
}

/** The page of a link that is unknown or dead. */
export function goneRatingPage(language: Language, desk: string): string {
  const { gone, still, toTickets } = wordings[language]
  return smallPage(gone, `<p>${still} ${link(desk, toTickets)}</p>`, language)
}

function link(address: string, text: string): string {
  return `<a href="${escapeHtml(address)}">${text}</a>`
}

function dayText(at: Date, language: Language): string {
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { day: 'numeric', month: 'long' }).format(at)
}

const wordings: Record<Language, Words> = {
  en: {
    title: 'How was our help?',
    good: 'Good',
    bad: 'Not good',
    more: 'Tell us more',
    optional: 'optional',
    who: 'The team reads it. It is not published.',
    send: 'Send rating',
    nothingYet: 'Nothing is sent before that.',
    thanks: 'Thank you.',
    until: day => `You can change it until ${day}.`,
    wrong: 'Something is still wrong: write to us',
    again: 'Shall we write to you again?',
    write: 'Write to us',
    gone: 'This question is over',
    still: 'Your ticket is still here:',
    toTickets: 'My tickets',
    closed: 'This rating can no longer be changed',
    chooseOne: 'Please choose one of the two.'
  },
  de: {
    title: 'Wie war unsere Hilfe?',
    good: 'Gut',
    bad: 'Nicht gut',
    more: 'Erzählen Sie uns mehr',
    optional: 'freiwillig',
    who: 'Das Team liest es. Es wird nicht veröffentlicht.',
    send: 'Bewertung senden',
    nothingYet: 'Vorher wird nichts gesendet.',
    thanks: 'Vielen Dank.',
    until: day => `Sie können sie bis ${day} ändern.`,
    wrong: 'Etwas stimmt noch nicht: schreiben Sie uns',
    again: 'Sollen wir Ihnen noch einmal schreiben?',
    write: 'Schreiben Sie uns',
    gone: 'Diese Frage ist vorbei',
    still: 'Ihr Ticket ist noch da:',
    toTickets: 'Meine Tickets',
    closed: 'Diese Bewertung kann nicht mehr geändert werden',
    chooseOne: 'Bitte wählen Sie eine der beiden Antworten.'
  }
}
