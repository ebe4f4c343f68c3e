/** What the contact widget says. Every language of the help centre that has no words here reads the English ones. */
const en = {
  help: 'Help',
  close: 'Close help',
  question: 'How can we help?',
  search: 'Search',
  searchHint: 'Search the articles',
  found: (count: number, isMore: boolean) =>
    count === 1 ? '1 article' : `${isMore ? 'More than ' : ''}${count} articles`,
  nothingFound: 'Nothing has these words.',
  write: 'Write to us',
  back: 'Back',
  whole: 'Open in the help centre',
  answered: 'This answered it',
  thanks: 'Thank you. We are glad that it helped.',
  signIn: 'Please sign in to write to us.',
  signInButton: 'Sign in',
  writingAs: (name: string, email: string) =>
    name === '' ? `You write as ${email}` : `You write as ${name}, ${email}`,
  name: 'Your name',
  email: 'Your e-mail address',
  department: 'Whom do you write to?',
  choose: 'Choose …',
  subject: 'Subject',
  message: 'Message',
  optional: 'optional',
  showQuestions: 'Show what this department asks',
  send: 'Send',
  sent: 'Thank you. An e-mail to your address tells how it goes on.',
  missing: 'Please fill this in.',
  unfit: 'Please check this.',
  tooMany: 'Too many tickets came from here. Please try again later.',
  unknownVisitor: 'The site could not tell us who you are. Please give your name and address.',
  faults: 'Something is missing or does not fit.',
  gone: 'This article is not here any more.'
}

export type WidgetWords = typeof en

const de: WidgetWords = {
  help: 'Hilfe',
  close: 'Hilfe schließen',
  question: 'Wie können wir helfen?',
  search: 'Suchen',
  searchHint: 'In den Artikeln suchen',
  found: (count, isMore) => `${isMore ? 'Mehr als ' : ''}${count} Artikel`,
  nothingFound: 'Nichts enthält diese Wörter.',
  write: 'Schreiben Sie uns',
  back: 'Zurück',
  whole: 'In der Hilfe öffnen',
  answered: 'Das hat geholfen',
  thanks: 'Vielen Dank. Schön, dass es geholfen hat.',
  signIn: 'Bitte melden Sie sich an, um uns zu schreiben.',
  signInButton: 'Anmelden',
  writingAs: (name, email) => (name === '' ? `Sie schreiben als ${email}` : `Sie schreiben als ${name}, ${email}`),
  name: 'Ihr Name',
  email: 'Ihre E-Mail-Adresse',
  department: 'An wen schreiben Sie?',
  choose: 'Auswählen …',
  subject: 'Betreff',
  message: 'Nachricht',
  optional: 'freiwillig',
  showQuestions: 'Zeigen, was diese Abteilung fragt',
  send: 'Senden',
  sent: 'Vielen Dank. Eine E-Mail an Ihre Adresse sagt, wie es weitergeht.',
  missing: 'Bitte ausfüllen.',
  unfit: 'Bitte prüfen.',
  tooMany: 'Von hier kamen zu viele Tickets. Bitte später noch einmal versuchen.',
  unknownVisitor: 'Die Website konnte uns nicht sagen, wer Sie sind. Bitte nennen Sie Namen und Adresse.',
  faults: 'Etwas fehlt oder passt nicht.',
  gone: 'Diesen Artikel gibt es nicht mehr.'
}

export const widgetLanguages = { en, de }

export function widgetWords(locale: string): WidgetWords {
  return locale.split('-')[0] === 'de' ? de : en
}
