interface Subjects {
  /** Accounts, as in `client:7`. */
  people: string[]
  tickets: number[]
  /** In capitals, as they are stored. */
  ticketNumbers: string[]
}

/** Where ids stand by themselves, what they are ids of is told by the endpoint's address. */
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
/** Parts of an answer that are what they are called. */
const nested: Record<string, 'ticket' | 'client' | 'staff'> = {
  ticket: 'ticket',
  client: 'client',
  staff: 'staff',
  members: 'staff'
}

/**
 * Whom a request and its answer are about: clients and members of staff by themselves, and the tickets whose clients it is about. Whoever
 * is erased takes along what is kept of such requests, so it is rather too many than too few.
 */
export function subjectsOf(path: string, body: object, data: unknown): Subjects {
  const subjects: Subjects = { people: [], tickets: [], ticketNumbers: [] }
  const [, area] = areas.find(([prefix]) => path.startsWith(prefix)) ?? []
  look(subjects, area, body)
  look(subjects, area, data)
  // The answer to an erasure tells nothing of the person, and must outlive it.
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
