import type { DeskActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { FieldValue } from '../../core/tables/fields.ts'
import { allFields, type Field, slotOf, valuesOf } from '../fields/fields.ts'
import { fieldKeysIn, type PlaceholderValues } from './placeholders.ts'

/** A ticket, as its placeholders need it. */
interface TicketFacts {
  ticket_number: string
  subject: string
  first_name: string
  last_name: string
  email: string
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

/**
 * What the placeholders in these texts stand for, for a ticket that the actor is known to see. `isForClient`: fields that clients do not see stand for
 * nothing.
 */
export async function placeholderValuesOf(
  db: Db,
  id: number,
  actor: DeskActor,
  texts: readonly string[],
  { isForClient }: { isForClient: boolean }
): Promise<PlaceholderValues> {
  const [ticket] = await factsById(db, { id })
  const values = placeholderValues(ticket!, actor)
  const keys = fieldKeysIn(texts)
  if (keys.length === 0) return values
  const stored = await valuesOf(db, id)
  for (const field of await namedFields(db, keys, isForClient)) {
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
  const keys = fieldKeysIn(texts)
  if (keys.length === 0) return undefined
  const known = new Set((await namedFields(db, keys, isForClient)).map(({ key }) => key))
  const unknown = keys.filter(key => !known.has(key))
  if (unknown.length === 0) return undefined
  const which = isForClient ? 'do not exist or are not seen by clients' : 'do not exist'
  return `names fields that ${which}: ${unknown.join(', ')}`
}

async function namedFields(db: Db, keys: readonly string[], isForClient: boolean): Promise<Field[]> {
  return (await allFields(db)).filter(
    ({ key, client_access }) => keys.includes(key) && !(isForClient && client_access === 'none')
  )
}

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
    .select(['tickets.ticket_number', 'tickets.subject'])
    .select(['clients.first_name', 'clients.last_name', 'clients.email', 'departments.name as department'])
    .select('organisations.name as organisation')
)
