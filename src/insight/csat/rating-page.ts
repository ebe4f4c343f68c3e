import type { Rating } from '../../core/tables/csat.ts'
import type { Language } from '../../core/wording/languages.ts'
import { escapeHtml, smallPage } from '../../kit/small-page.ts'
import type { Survey } from './surveys.ts'

interface Words {
  title: string
  about(number: string, subject: string): string
  good: string
  bad: string
  comment: string
  send: string
  thanks: string
  change: string
  gone: string
  goneText: string
  closed: string
  chooseOne: string
}

/** The page behind the links of a rating e-mail. What the link says is chosen already; only its button votes (Q1). */
export function ratingPage(
  survey: Survey,
  chosen: Rating | undefined,
  language: Language,
  state: 'asks' | 'thanks' | 'closed' | 'unchosen' = 'asks'
): string {
  const words = wordings[language]
  const about = `<p>${escapeHtml(words.about(survey.ticket_number, survey.subject))}</p>`
  if (state === 'closed') return smallPage(words.closed, about, language)
  const rating = chosen ?? survey.rating ?? undefined
  const choice = (value: Rating) =>
    `<p><label><input type="radio" name="rating" value="${value}" required${rating === value ? ' checked' : ''}> ${words[value]}</label></p>`
  const note =
    state === 'unchosen' ? `<p role="alert">${words.chooseOne}</p>` : state === 'thanks' ? `<p>${words.change}</p>` : ''
  const form =
    `<form method="post"><fieldset><legend>${words.title}</legend>${choice('good')}${choice('bad')}</fieldset>` +
    `<p><label for="comment">${words.comment}</label></p>` +
    `<p><textarea id="comment" name="comment" rows="5" cols="40" maxlength="2000">${escapeHtml(survey.comment ?? '')}</textarea></p>` +
    `<button type="submit">${words.send}</button></form>`
  return smallPage(state === 'thanks' ? words.thanks : words.title, `${about}${note}${form}`, language)
}

export function goneRatingPage(language: Language): string {
  const { gone, goneText } = wordings[language]
  return smallPage(gone, `<p>${goneText}</p>`, language)
}

const wordings: Record<Language, Words> = {
  en: {
    title: 'How did we do?',
    about: (number, subject) => `Ticket ${number}: ${subject}`,
    good: 'Good, I am satisfied',
    bad: 'Bad, I am not satisfied',
    comment: 'What would you like to tell us? (optional)',
    send: 'Send',
    thanks: 'Thank you',
    change: 'Your answer has arrived. You can change it for seven days.',
    gone: 'There is nothing to rate here any more',
    goneText: 'The link may be an old one. Thank you for wanting to tell us.',
    closed: 'This answer can no longer be changed',
    chooseOne: 'Please choose one of the two.'
  },
  de: {
    title: 'Wie waren wir?',
    about: (number, subject) => `Ticket ${number}: ${subject}`,
    good: 'Gut, ich bin zufrieden',
    bad: 'Schlecht, ich bin nicht zufrieden',
    comment: 'Was möchten Sie uns sagen? (freiwillig)',
    send: 'Absenden',
    thanks: 'Vielen Dank',
    change: 'Ihre Antwort ist angekommen. Sie können sie sieben Tage lang ändern.',
    gone: 'Hier gibt es nichts mehr zu bewerten',
    goneText: 'Vielleicht ist der Link alt. Danke, dass Sie es uns sagen wollten.',
    closed: 'Diese Antwort kann nicht mehr geändert werden',
    chooseOne: 'Bitte wählen Sie eine der beiden Antworten.'
  }
}
