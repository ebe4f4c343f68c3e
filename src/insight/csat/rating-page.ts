import type { Rating } from '../../core/tables/csat.ts'
import { type Language, languageAmong } from '../../core/wording/languages.ts'
import { type PageDesk, page } from '../../help/pages/layout.ts'
import { type Html, html, trustedHtml } from '../../kit/html.ts'
import { secondsAfter } from '../../lib/time.ts'
import { unsubscribeUrl } from '../../tickets/notifications/unsubscribe.ts'
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
  stop: string
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
  now: Date
}

/** The page behind the links of a rating e-mail. What the link says is chosen already; only its button votes (Q1). */
export function ratingPage(desk: PageDesk, { survey, chosen, state = 'asks', now }: RatingPage): Html {
  const words = wordsOf(desk)
  const { config } = desk.services
  const { client_id: id, client_email: email } = survey
  const ticket = `${config.BASE_URL}/tickets/${survey.ticket_number}`
  const stop = unsubscribeUrl(desk.services, { id, email }, 'rating_emails')
  const rating = chosen ?? survey.rating ?? undefined
  const isUnhappy = state === 'thanks' && rating === 'bad'
  const title = state === 'closed' ? words.closed : words.title
  const main = html`<h1>${title}</h1>
<p class="about t2">${survey.subject} <span class="muted">${survey.ticket_number}</span></p>
${state !== 'closed' && form(words, { survey, rating, state, until: lastDay(desk, survey, now) })}
<p class="after">${isUnhappy && html`${words.again} `}${link(ticket, isUnhappy ? words.write : words.wrong)}</p>
<p class="after">${link(stop, words.stop)}</p>`
  return page(desk, { title, main, isSlim: true, isOutside: true })
}

interface Form {
  survey: Survey
  rating: Rating | undefined
  state: State
  until: string
}

function form(words: Words, { survey, rating, state, until }: Form): Html {
  const choice = (value: Rating) =>
    html`<label><input type="radio" name="rating" value="${value}" required${rating === value && html` checked`}>${thumbs[value]}${words[value]}</label>`
  const changeable = words.until(until)
  return html`<form method="post" class="card rating">
${state === 'unchosen' && html`<p role="alert">${words.chooseOne}</p>`}${
  state === 'thanks' && html`<p role="status"><b>${words.thanks}</b> ${changeable}</p>`
}
<fieldset><legend>${words.title}</legend>${choice('good')}${choice('bad')}</fieldset>
<label for="comment">${words.more}</label> <span class="muted">${words.optional}</span>
<textarea id="comment" name="comment" rows="4" maxlength="2000" aria-describedby="who">${survey.comment}</textarea>
<p class="muted" id="who">${words.who}</p>
<button class="btn primary">${words.send}</button>
${state !== 'thanks' && html`<p class="muted">${words.nothingYet} ${changeable}</p>`}
</form>`
}

/** The page of a link that is unknown or dead. */
export function goneRatingPage(desk: PageDesk): Html {
  const { gone, still, toTickets } = wordsOf(desk)
  const main = html`<h1>${gone}</h1>
<p class="about t2">${still}</p>
<p><a class="btn" href="${desk.services.config.BASE_URL}/tickets">${toTickets}</a></p>`
  return page(desk, { title: gone, main, isSlim: true, isOutside: true })
}

function wordsOf({ locale }: PageDesk): Words {
  return wordings[languageAmong(locale) ?? 'en']
}

function link(address: string, text: string): Html {
  return html`<a class="link" href="${address}">${text}</a>`
}

/** Until when the rating can be changed, or could be if it were given now. */
function lastDay({ locale }: PageDesk, { rated_at }: Survey, now: Date): string {
  const tag = locale === 'en' ? 'en-GB' : locale
  return new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'long' }).format(
    secondsAfter(rated_at ?? now, changeSeconds)
  )
}

const thumbs: Record<Rating, Html> = {
  good: thumb(
    'M15 5.88 14 10h5.83a2 2 0 0 1 1.92 2.56l-2.33 8A2 2 0 0 1 17.5 22H4a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2h2.76a2 2 0 0 0 1.79-1.11L12 2a3.13 3.13 0 0 1 3 3.88ZM7 10v12'
  ),
  bad: thumb(
    'M9 18.12 10 14H4.17a2 2 0 0 1-1.92-2.56l2.33-8A2 2 0 0 1 6.5 2H20a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-2.76a2 2 0 0 0-1.79 1.11L12 22a3.13 3.13 0 0 1-3-3.88ZM17 14V2'
  )
}

function thumb(path: string): Html {
  return trustedHtml(`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`)
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
    stop: 'Do not ask me again',
    gone: 'This question is over',
    still: 'Your ticket is still here.',
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
    stop: 'Nicht mehr fragen',
    gone: 'Diese Frage ist vorbei',
    still: 'Ihr Ticket ist noch da.',
    toTickets: 'Meine Tickets',
    closed: 'Diese Bewertung kann nicht mehr geändert werden',
    chooseOne: 'Bitte wählen Sie eine der beiden Antworten.'
  }
}
