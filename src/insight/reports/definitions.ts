import type { Language } from '../../core/wording/languages.ts'

/** What each figure means, as people read it beside the figure. The rules are tested by `reports-oracle.test.ts`. */
interface Definition {
  key: string
  title: string
  text: string
}

const english: Definition[] = [
  {
    key: 'opened',
    title: 'Opened',
    text: 'Tickets by the day on which they were opened. Tickets in the trash and tickets that were merged into others are in no report.'
  },
  {
    key: 'closed',
    title: 'Closed',
    text: 'Closings by their day. A ticket that is closed twice counts twice. Merging closes nothing.'
  },
  { key: 'reopened', title: 'Reopened', text: 'Closed tickets that became open again, by the day on which they did.' },
  {
    key: 'open',
    title: 'Open',
    text: 'Tickets that are not closed at the end of the day: opened, less closed, plus reopened until then. By staff: those that were with them.'
  },
  {
    key: 'first_response',
    title: 'First response',
    text: 'From the first message of the client to the first reply by a person, booked on the day of the reply for whoever replied. After a closing without an answer it counts from the next message. Tickets that staff opened have none.'
  },
  {
    key: 'resolution',
    title: 'Resolution',
    text: 'From the opening to the last closing, booked on its day for whoever closed; if the client or a rule closed, for the assignee then. A ticket that is open again is not resolved.'
  },
  {
    key: 'hours',
    title: 'Clock and open hours',
    text: 'Clock hours count all time; open hours count only those of the default calendar.'
  },
  {
    key: 'median',
    title: 'Median and 90th percentile',
    text: 'Half of all times, and nine of ten, are not longer. Marked “about” they are known within 9 %: there are 50,000 times or more.'
  },
  {
    key: 'sla',
    title: 'SLA',
    text: 'Promises by the day on which their clock ended; one that is late and still runs counts as late on the day on which it was due. The share is of those that were met or late; dropped ones and late ones that were lifted stand apart.'
  },
  {
    key: 'csat',
    title: 'Satisfaction',
    text: 'Good ratings of all ratings, by the day of the first rating with its last value, for the last person who replied before the closing. Below five ratings there is no share.'
  },
  {
    key: 'replies',
    title: 'Replies',
    text: 'Public replies by people, by their day. The message with which staff opened a ticket is no reply.'
  },
  {
    key: 'groups',
    title: 'Groups',
    text: 'Department, tags, priority and organisation are those of the ticket now, the channel is how it began, staff is whoever did it. A ticket with several tags counts for each, so that tags add up to more than the total.'
  },
  {
    key: 'days',
    title: 'Days',
    text: 'Days of the desk’s time zone; a day on which clocks are changed has 23 or 25 hours. Weeks begin on Monday.'
  }
]

const german: Definition[] = [
  {
    key: 'opened',
    title: 'Eröffnet',
    text: 'Tickets nach dem Tag, an dem sie eröffnet wurden. Tickets im Papierkorb und solche, die mit anderen zusammengeführt wurden, stehen in keinem Bericht.'
  },
  {
    key: 'closed',
    title: 'Geschlossen',
    text: 'Schließungen nach ihrem Tag. Ein Ticket, das zweimal geschlossen wird, zählt zweimal. Zusammenführen schließt nichts.'
  },
  {
    key: 'reopened',
    title: 'Wieder geöffnet',
    text: 'Geschlossene Tickets, die wieder offen wurden, nach dem Tag, an dem das geschah.'
  },
  {
    key: 'open',
    title: 'Offen',
    text: 'Tickets, die am Ende des Tages nicht geschlossen sind: eröffnete minus geschlossene plus wieder geöffnete bis dahin. Nach Personen: die bei ihnen lagen.'
  },
  {
    key: 'first_response',
    title: 'Erste Antwort',
    text: 'Von der ersten Nachricht des Kunden bis zur ersten Antwort eines Menschen, gebucht am Tag der Antwort für den, der geantwortet hat. Nach einer Schließung ohne Antwort zählt sie ab der nächsten Nachricht. Tickets, die das Team eröffnet hat, haben keine.'
  },
  {
    key: 'resolution',
    title: 'Lösung',
    text: 'Von der Eröffnung bis zur letzten Schließung, gebucht an deren Tag für den, der geschlossen hat; hat der Kunde oder eine Regel geschlossen, für den damals Zuständigen. Ein Ticket, das wieder offen ist, ist nicht gelöst.'
  },
  {
    key: 'hours',
    title: 'Uhr und offene Zeit',
    text: 'Nach der Uhr zählt alle Zeit; offene Zeit zählt nur die Stunden des Standardkalenders.'
  },
  {
    key: 'median',
    title: 'Median und 90. Perzentil',
    text: 'Die Hälfte aller Zeiten und neun von zehn sind nicht länger. Mit „etwa“ sind sie auf 9 % genau bekannt: Es sind 50.000 Zeiten oder mehr.'
  },
  {
    key: 'sla',
    title: 'SLA',
    text: 'Zusagen nach dem Tag, an dem ihre Uhr endete; eine verspätete, die noch läuft, zählt an dem Tag als verspätet, an dem sie fällig war. Der Anteil ist der an den gehaltenen und verspäteten; entfallene und aufgehobene Verspätungen stehen daneben.'
  },
  {
    key: 'csat',
    title: 'Zufriedenheit',
    text: 'Gute Bewertungen von allen, nach dem Tag der ersten Bewertung mit ihrem letzten Wert, für die Person, die vor der Schließung zuletzt geantwortet hat. Unter fünf Bewertungen gibt es keinen Anteil.'
  },
  {
    key: 'replies',
    title: 'Antworten',
    text: 'Öffentliche Antworten von Menschen, nach ihrem Tag. Die Nachricht, mit der das Team ein Ticket eröffnet, ist keine Antwort.'
  },
  {
    key: 'groups',
    title: 'Gruppen',
    text: 'Abteilung, Schlagwörter, Priorität und Organisation sind die des Tickets jetzt, der Kanal ist der, auf dem es begann, die Person ist, wer es tat. Ein Ticket mit mehreren Schlagwörtern zählt bei jedem, sodass diese mehr ergeben als die Summe.'
  },
  {
    key: 'days',
    title: 'Tage',
    text: 'Tage der Zeitzone des Desks; ein Tag, an dem die Uhren umgestellt werden, hat 23 oder 25 Stunden. Wochen beginnen am Montag.'
  }
]

const byLanguage: Record<Language, Definition[]> = { en: english, de: german }

export function definitionsIn(language: Language): Definition[] {
  return byLanguage[language]
}
