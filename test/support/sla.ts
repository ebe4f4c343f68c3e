import assert from 'node:assert/strict'
import type { Desk } from './desk.ts'
import type { Person } from './people.ts'

const nineToFive = [['09:00', '17:00']]
/** Monday to Friday from nine to five. */
const officeHours = { mon: nineToFive, tue: nineToFive, wed: nineToFive, thu: nineToFive, fri: nineToFive }

let serial = 0

/** A calendar, by default of an office in Berlin. */
export async function aCalendar(desk: Desk, given: { hours?: object; time_zone?: string; is_archived?: boolean } = {}) {
  const { hours = officeHours, ...fields } = given
  const calendar = await desk.db
    .insertInto('calendars')
    .values({ name: `Office ${++serial}`, time_zone: 'Europe/Berlin', ...fields })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow()
  await desk.db
    .insertInto('calendar_weeks')
    .values({ calendar_id: calendar.id, valid_from: null, hours: JSON.stringify(hours) })
    .execute()
  return calendar
}

/** An SLA policy as sla-policies/create answers it: by default for every ticket, a first reply within four hours whatever the priority. */
export async function aPolicy(desk: Desk, admin: Person, calendar: { id: number }, given: object = {}) {
  const targets = ['Low', 'Medium', 'High', 'Critical'].map(priority => ({
    metric: 'first_response',
    priority,
    minutes: 240,
    calendar_id: calendar.id
  }))
  const reply = await desk.post('/api/admin/sla-policies/create', admin, {
    name: `Policy ${++serial}`,
    targets,
    ...given
  })
  assert.equal(reply.status, 201, reply.body.message)
  return reply.data.policy
}
