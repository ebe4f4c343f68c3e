import { sql } from 'kysely'
import type { DeskActor } from '../../core/actor.ts'
import { countingCalendars } from '../../core/calendars/calendars.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { FieldValue } from '../../core/tables/fields.ts'
import type { Language } from '../../core/wording/languages.ts'
import { languageOf } from '../../mail/outbox/localized-email.ts'
import { allFields, type Field, slotOf, valuesOf } from '../fields/fields.ts'
import { fieldKeysIn, type PlaceholderValues } from './placeholders.ts'

/** A ticket, as its placeholders need it. */
interface TicketFacts {
  ticket_number: string
  subject: string
  first_name: string
  last_name: string
  email: string
  client_id: number
  department: string
  organisation: string | null
}

/** What the placeholders without fields stand for in a text of this actor about this ticket. The system has no name of its own. */
function placeholderValues(ticket: TicketFacts, actor: DeskActor): PlaceholderValues {
  const isPerson = actor.population === 'staff'
  return {
    'client.first_name': ticket.first_name,
    'client.last_name': ticket.last_name,
    'client.email': ticket.email,
    'organisation.name': ticket.organisation ?? '',
    'ticket.number': ticket.ticket_number,
    'ticket.subject': ticket.subject,
    'department.name': ticket.department,
    'staff.first_name': isPerson ? actor.firstName : '',
    'staff.last_name': isPerson ? actor.lastName : ''
  }
}

interface About {
  /** Fields that clients do not see stand for nothing, and days are written in their language; else in the desk's. */
  isForClient: boolean
  now: Date
  /** The calendar of the next opening; without it the default one. */
  calendarId?: number | undefined
}

/** What the placeholders in these texts stand for, for a ticket that the actor is known to see. */
export async function placeholderValuesOf(
  db: Db,
  id: number,
  actor: DeskActor,
  texts: readonly string[],
  { isForClient, now, calendarId }: About
): Promise<PlaceholderValues> {
  const [ticket] = await factsById(db, { id })
  const values = placeholderValues(ticket!, actor)
  if (texts.some(text => text.includes('calendar.next_opening'))) {
    const language = await languageOf(db, isForClient ? { population: 'client', id: ticket!.client_id } : undefined)
    values['calendar.next_opening'] = await nextOpening(db, { calendarId, now, language })
  }
  const keys = fieldKeysIn(texts)
  if (keys.length === 0) return values
  const stored = await valuesOf(db, id)
  for (const field of namedAmong(await allFields(db), keys, isForClient)) {
    values[`field.${field.key}`] = inWords(field, stored[slotOf(field)])
  }
  return values
}

/** Why texts cannot be filled: they name fields that there are not, or that clients do not see. Undefined if they can. */
export async function fieldFault(
  db: Db,
  texts: readonly string[],
  { isForClient }: { isForClient: boolean }
): Promise<string | undefined> {
  if (fieldKeysIn(texts).length === 0) return undefined
  const unknown = unknownFields(await allFields(db), texts, { isForClient })
  if (unknown.length === 0) return undefined
  const which = isForClient ? 'do not exist or are not seen by clients' : 'do not exist'
  return `names fields that ${which}: ${unknown.join(', ')}`
}

/** The keys in these texts of fields that there are not, or that clients do not see. */
export function unknownFields(
  fields: readonly Field[],
  texts: readonly string[],
  { isForClient }: { isForClient: boolean }
): string[] {
  const keys = fieldKeysIn(texts)
  const known = new Set(namedAmong(fields, keys, isForClient).map(({ key }) => key))
  return keys.filter(key => !known.has(key))
}

function namedAmong(fields: readonly Field[], keys: readonly string[], isForClient: boolean): Field[] {
  return fields.filter(({ key, client_access }) => keys.includes(key) && !(isForClient && client_access === 'none'))
}

/** "Monday 24 November at 09:00 CET", by the clock of the calendar; '' if it is always open, never opens again or is gone. */
async function nextOpening(
  db: Db,
  { calendarId, now, language }: { calendarId: number | undefined; now: Date; language: Language }
): Promise<string> {
  const id = calendarId ?? (await defaultCalendar(db, {}))[0]?.id ?? 0
  const calendar = (await countingCalendars(db, [id])).get(id)
  const opening = calendar?.open.opensAfter(now)
  if (!calendar || !opening) return ''
  const format = new Intl.DateTimeFormat(locales[language], { ...inFull, timeZone: calendar.time_zone })
  return format.format(opening)
}

const locales: Record<Language, string> = { en: 'en-GB', de: 'de-DE' }

const inFull: Intl.DateTimeFormatOptions = {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short'
}

const defaultCalendar = prepared(db =>
  db.selectFrom('calendars').where('is_default', '=', sql.lit(true)).select('id').limit(sql.lit(1))
)

/** A value of a field as it stands in a text: options by their labels. */
function inWords({ kind, options }: Field, value: FieldValue | undefined): string {
  if (value === undefined) return ''
  if (kind !== 'select' && kind !== 'multi_select') return String(value)
  return [value]
    .flat()
    .flatMap(id => options.find(option => option.id === id)?.label ?? [])
    .join(', ')
}

const factsById = prepared((db, p: { id: number }) =>
  db
    .selectFrom('tickets')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .innerJoin('departments', 'departments.id', 'tickets.department_id')
    .leftJoin('organisations', 'organisations.id', 'tickets.organisation_id')
    .where('tickets.id', '=', p.id)
    .select(['tickets.ticket_number', 'tickets.subject', 'tickets.client_id'])
    .select(['clients.first_name', 'clients.last_name', 'clients.email', 'departments.name as department'])
    .select('organisations.name as organisation')
)
