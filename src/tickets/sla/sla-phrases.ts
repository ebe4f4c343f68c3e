import type { ClosedReason } from '../../core/calendars/segments.ts'
import type { SlaOutcome, SlaPauseReason } from '../../core/tables/sla-clocks.ts'
import type { SlaMetric } from '../../core/tables/sla-policies.ts'
import type { Language } from '../../core/wording/languages.ts'

/** The sentences with which a clock is explained. */
export interface SlaPhrases {
  locale: string
  opened(at: string): string
  written(at: string): string
  promise: Record<SlaMetric, (within: string, calendar: string) => string>
  duration(hours: number, minutes: number): string
  counted(duration: string, day: string): string
  countedInAll(duration: string, from: string, to: string): string
  closed: Record<ClosedReason, string>
  closedOn(days: readonly string[]): string
  onDay(name: string): string
  atWeekend: string
  paused(duration: string, why: string): string
  pauseReason: Record<SlaPauseReason, (by: string | null) => string>
  byToken(name: string, token: string): string
  moved(calendar: string, kept: string, target: string): string
  due(at: string): string
  late(at: string): string
  lateSince(due: string, at: string): string
  standing(why: string, left: string): string
  neverOpens: string
  ended: Record<SlaOutcome, (at: string, due: string | null) => string>
  recomputing: string
}

const english: SlaPhrases = {
  locale: 'en-GB',
  opened: at => `Opened ${at}`,
  written: at => `The client wrote ${at}`,
  promise: {
    first_response: (within, calendar) => `a reply within ${within} of ${calendar}`,
    next_response: (within, calendar) => `an answer within ${within} of ${calendar}`,
    resolution: (within, calendar) => `a solution within ${within} of ${calendar}`
  },
  duration(hours, minutes) {
    if (minutes === 0) return hours === 1 ? '1 hour' : `${hours} hours`
    if (hours === 0) return minutes === 1 ? '1 minute' : `${minutes} minutes`
    return `${hours} h ${minutes} min`
  },
  counted: (duration, day) => `${duration} on ${day}`,
  countedInAll: (duration, from, to) => `${duration} between ${from} and ${to}`,
  closed: {
    day: 'holiday',
    weekend: 'weekend',
    lunch: 'lunch',
    break: 'break',
    outside_hours: 'outside hours'
  },
  closedOn: days => `closed ${listed(days, 'and')}`,
  onDay: name => `on ${name}`,
  atWeekend: 'at the weekend',
  paused: (duration, why) => `paused ${duration}: ${why}`,
  pauseReason: {
    answered: by => (by ? `Answered by ${by}` : 'Answered'),
    snoozed: by => (by ? `snoozed by ${by}` : 'snoozed'),
    closed: by => (by ? `Closed by ${by}` : 'Closed'),
    merged: () => 'part of another ticket',
    trash: () => 'in the trash',
    no_target: () => 'the policy has no target for it'
  },
  byToken: (name, token) => `${name}, by ${token}`,
  moved: (calendar, kept, target) => `from here on ${calendar}, ${kept} of ${target} kept`,
  due: at => `due ${at}`,
  late: at => `it was due ${at} and is late`,
  lateSince: (due, at) => `it was due ${due} by the target that was set ${at}, and is late since then`,
  standing: (why, left) => `it stands (${why}), with ${left} left`,
  neverOpens: 'the calendar never opens again, so that nothing is due',
  ended: {
    met: (at, due) => `in time ${at}${due ? ` (due ${due})` : ''}`,
    breached: (at, due) => `late: ended ${at}${due ? `, due ${due}` : ''}`,
    dropped: at => `dropped ${at}`,
    withdrawn: at => `withdrawn ${at}`
  },
  recomputing: 'It is being recomputed.'
}

const german: SlaPhrases = {
  locale: 'de-DE',
  opened: at => `Eröffnet ${at}`,
  written: at => `Der Kunde schrieb ${at}`,
  promise: {
    first_response: (within, calendar) => `eine Antwort binnen ${within} nach „${calendar}“`,
    next_response: (within, calendar) => `eine weitere Antwort binnen ${within} nach „${calendar}“`,
    resolution: (within, calendar) => `eine Lösung binnen ${within} nach „${calendar}“`
  },
  duration(hours, minutes) {
    if (minutes === 0) return hours === 1 ? '1 Stunde' : `${hours} Stunden`
    if (hours === 0) return minutes === 1 ? '1 Minute' : `${minutes} Minuten`
    return `${hours} h ${minutes} min`
  },
  counted: (duration, day) => `${duration} am ${day}`,
  countedInAll: (duration, from, to) => `${duration} von ${from} bis ${to}`,
  closed: {
    day: 'Feiertag',
    weekend: 'Wochenende',
    lunch: 'Mittagspause',
    break: 'Pause',
    outside_hours: 'außerhalb der Zeiten'
  },
  closedOn: days => `geschlossen: ${listed(days, 'und')}`,
  onDay: name => name,
  atWeekend: 'Wochenende',
  paused: (duration, why) => `${duration} angehalten: ${why}`,
  pauseReason: {
    answered: by => (by ? `beantwortet von ${by}` : 'beantwortet'),
    snoozed: by => (by ? `zurückgestellt von ${by}` : 'zurückgestellt'),
    closed: by => (by ? `geschlossen von ${by}` : 'geschlossen'),
    merged: () => 'Teil eines anderen Tickets',
    trash: () => 'im Papierkorb',
    no_target: () => 'die Richtlinie sagt dafür nichts zu'
  },
  byToken: (name, token) => `${name}, durch ${token}`,
  moved: (calendar, kept, target) => `von hier an „${calendar}“, ${kept} von ${target} behalten`,
  due: at => `fällig ${at}`,
  late: at => `war fällig ${at} und ist überfällig`,
  lateSince: (due, at) => `war fällig ${due} nach dem Ziel, das ${at} gesetzt wurde, und ist seitdem überfällig`,
  standing: (why, left) => `sie steht (${why}), ${left} bleiben`,
  neverOpens: 'der Kalender öffnet nie wieder, so dass nichts fällig wird',
  ended: {
    met: (at, due) => `rechtzeitig ${at}${due ? ` (fällig ${due})` : ''}`,
    breached: (at, due) => `zu spät: geendet ${at}${due ? `, fällig ${due}` : ''}`,
    dropped: at => `entfallen ${at}`,
    withdrawn: at => `zurückgezogen ${at}`
  },
  recomputing: 'Sie wird gerade neu berechnet.'
}

function listed(parts: readonly string[], and: string): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} ${and} ${last}`
}

export const slaPhrases: Record<Language, SlaPhrases> = { en: english, de: german }
