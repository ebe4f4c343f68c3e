/** What the pages of the help centre say. Every language of the help centre that has no words here reads the English ones. */
const en = {
  support: 'Support',
  helpCentre: 'Help centre',
  question: 'How can we help?',
  search: 'Search',
  searchHint: 'Search the help centre',
  searchIn: (name: string) => `Search in ${name}`,
  found: (count: number, isMore: boolean) =>
    count === 1 ? '1 article' : `${isMore ? 'More than ' : ''}${count} articles, best first`,
  nothingFound: 'Nothing has these words',
  nothingHere: 'There are no articles here yet.',
  notWhatYouLookFor: 'Not what you look for?',
  helpedMost: (category: string) => `What helped most: ${category}`,
  notFound: 'Not found?',
  notFoundHint: 'Write to us, and we answer.',
  writeToUs: 'Write to us',
  takenOver: ': we take over what you typed as the subject.',
  stillAQuestion: 'Still a question?',
  myTickets: 'My tickets',
  newTicket: 'New ticket',
  signIn: 'Sign in',
  main: 'Main',
  skip: 'Skip to the text',
  changedOn: (date: string) => `Changed on ${date}`,
  inLanguage: (name: string) => `in ${name}`,
  onThisPage: 'On this page',
  didThisHelp: 'Did this help?',
  yes: 'Yes',
  no: 'No',
  thankYou: 'Thank you.',
  whatIsMissing: 'What is missing? (optional)',
  send: 'Send',
  pageMissing: 'This page does not exist',
  pageMissingHint: 'It may have moved, or you have to sign in to read it.',
  callUs: (phone: string) => `Call us: ${phone}`,
  privacy: 'Privacy',
  supportBy: 'Support by',
  earlier: 'Earlier',
  more: 'More',
  articlesOf: 'Articles'
}

type Words = typeof en

const de: Words = {
  support: 'Support',
  helpCentre: 'Hilfe',
  question: 'Wie können wir helfen?',
  search: 'Suchen',
  searchHint: 'In der Hilfe suchen',
  searchIn: name => `In ${name} suchen`,
  found: (count, isMore) =>
    count === 1 ? '1 Artikel' : `${isMore ? 'Mehr als ' : ''}${count} Artikel, die besten zuerst`,
  nothingFound: 'Nichts enthält diese Wörter',
  nothingHere: 'Hier gibt es noch keine Artikel.',
  notWhatYouLookFor: 'Nicht das Gesuchte?',
  helpedMost: category => `Was am meisten half: ${category}`,
  notFound: 'Nicht gefunden?',
  notFoundHint: 'Schreiben Sie uns, wir antworten.',
  writeToUs: 'Schreiben Sie uns',
  takenOver: ': Was Sie eingegeben haben, übernehmen wir als Betreff.',
  stillAQuestion: 'Noch eine Frage?',
  myTickets: 'Meine Tickets',
  newTicket: 'Neues Ticket',
  signIn: 'Anmelden',
  main: 'Hauptmenü',
  skip: 'Zum Text springen',
  changedOn: date => `Geändert am ${date}`,
  inLanguage: name => `auf ${name}`,
  onThisPage: 'Auf dieser Seite',
  didThisHelp: 'War das hilfreich?',
  yes: 'Ja',
  no: 'Nein',
  thankYou: 'Vielen Dank.',
  whatIsMissing: 'Was fehlt? (freiwillig)',
  send: 'Senden',
  pageMissing: 'Diese Seite gibt es nicht',
  pageMissingHint: 'Vielleicht ist sie umgezogen, oder Sie müssen sich anmelden, um sie zu lesen.',
  callUs: phone => `Rufen Sie uns an: ${phone}`,
  privacy: 'Datenschutz',
  supportBy: 'Support mit',
  earlier: 'Zurück',
  more: 'Weitere',
  articlesOf: 'Artikel'
}

export function wordsIn(locale: string): Words {
  return locale.split('-')[0] === 'de' ? de : en
}

/** A day in the words of this language; English as most of the world writes it. */
export function dayIn(locale: string, day: Date, timeZone: string): string {
  const tag = locale === 'en' ? 'en-GB' : locale
  return new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone }).format(day)
}

/** The name of a language in another: "German", "Deutsch". */
export function languageName(locale: string, inLocale: string): string {
  return new Intl.DisplayNames([inLocale], { type: 'language' }).of(locale) ?? locale
}
