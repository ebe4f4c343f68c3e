interface Subjects {
  /** Accounts, such as `client:7`. */
  people: string[]
  tickets: number[]
  /** In upper case, as stored. */
  ticketNumbers: string[]
}

/** For plain ids, the endpoint's path tells what they identify. */
const areas: [prefix: string, area: 'ticket' | 'client' | 'staff'][] = [
  ['/api/tickets/', 'ticket'],
  ['/api/admin/tickets/', 'ticket'],
  ['/api/admin/clients/', 'client'],
  ['/api/admin/staff/', 'staff'],
  ['/api/auth/', 'client']
]

const namesOfTickets = ['ticket_id', 'ticket_ids', 'into_id', 'merged_id', 'purged_id']
const namesOfClients = ['client_id']
const namesOfStaff = ['staff_id', 'staff_ids', 'assigned_staff_id', 'unlimited_staff_ids']
const namesOfPeople = ['user_id']
const namesInAreas = ['id', 'ids', 'done', 'ticket_number']
/** Parts of a response whose name tells what they are. */
const nested: Record<string, 'ticket' | 'client' | 'staff'> = {
  ticket: 'ticket',
  client: 'client',
  staff: 'staff',
  members: 'staff'
}

/**
 * The accounts that a request and its response are about, and the tickets whose clients they concern. Erasing a person deletes the stored
 * responses about them, so it rather finds too many than too few.
 */
export function subjectsOf(path: string, body: object, data: unknown): Subjects {
  const subjects: Subjects = { people: [], tickets: [], ticketNumbers: [] }
  const [, area] = areas.find(([prefix]) => path.startsWith(prefix)) ?? []
  look(subjects, area, body)
  look(subjects, area, data)
  // The response to an erasure has no personal data, and must outlive it.
  const erased = `client:${(data as { deleted_id?: number } | undefined)?.deleted_id}`
  return { ...subjects, people: subjects.people.filter(person => area !== 'client' || person !== erased) }
}

type Area = 'ticket' | 'client' | 'staff' | undefined

function look(subjects: Subjects, area: Area, told: unknown): void {
  if (typeof told !== 'object' || told === null) return
  for (const [name, value] of Object.entries(told)) {
    if (namesOfTickets.includes(name)) add(subjects, 'ticket', value)
    else if (namesOfClients.includes(name)) add(subjects, 'client', value)
    else if (namesOfStaff.includes(name)) add(subjects, 'staff', value)
    else if (namesInAreas.includes(name) || (namesOfPeople.includes(name) && area !== 'ticket'))
      add(subjects, area, value)
    else if (Object.hasOwn(nested, name)) for (const each of [value].flat()) look(subjects, nested[name], each)
  }
}

function add(subjects: Subjects, area: Area, value: unknown): void {
  for (const each of [value].flat()) {
    if (area === 'ticket' && typeof each === 'string') subjects.ticketNumbers.push(each.toUpperCase())
    if (typeof each !== 'number') continue
    if (area === 'ticket') subjects.tickets.push(each)
    else if (area) subjects.people.push(`${area}:${each}`)
  }
}
