import type { StaffActor } from '../../../core/actor.ts'
import { allCalendars } from '../../../core/calendars/calendars.ts'
import { createCalendar } from '../../../core/calendars/change-calendars.ts'
import { suggestDays } from '../../../core/calendars/suggest-days.ts'
import type { Services } from '../../../core/services.ts'
import { localDate } from '../../../lib/time-zones.ts'
import { updateClient } from '../../../people/clients/update-client.ts'
import { createOrganisation } from '../../../people/organisations/change-organisations.ts'
import { createSlaPolicy } from '../../../tickets/sla/change-policies.ts'
import { slaPolicies } from '../../../tickets/sla/policies.ts'
import { demoOrganisation, holidaysOf, officeHours, standardPolicy, targetsIn, urgentPolicy } from './demo-promises.ts'

type Caller = Parameters<typeof createOrganisation>[2]

interface Making {
  admin: StaffActor
  caller: Caller
  /** The client who manages the organisation. */
  manager: number
  /** In whose year, and the next, the holidays are known. */
  today: Date
}

/** Creates the organisation, the business hours and the SLA policies, unless they exist. */
export async function makePromises(services: Services, making: Making): Promise<void> {
  const { db } = services
  const organisation = await organisationId(services, making)
  const existing = (await slaPolicies(db)).map(({ name }) => name)
  const { admin, caller } = making
  if (!existing.includes(urgentPolicy.name)) {
    const conditions = { all: [{ any: [urgentPolicy.condition, ofOrganisation(organisation)] }] }
    const { condition: _, minutes, ...policy } = urgentPolicy
    const targets = targetsIn(await alwaysOpen(services, making), minutes)
    await createSlaPolicy(services, admin, caller, { ...policy, conditions, targets })
  }
  if (!existing.includes(standardPolicy.name)) {
    const { minutes, ...policy } = standardPolicy
    const targets = targetsIn(await office(services, making), minutes)
    await createSlaPolicy(services, admin, caller, { ...policy, targets })
  }
}

function ofOrganisation(value: number) {
  return { field: 'organisation_id', op: 'is', value } as const
}

/** Its people join by their domain, apart from the manager, whom an admin makes one. */
async function organisationId(services: Services, { admin, caller, manager }: Making): Promise<number> {
  const known = await services.db
    .selectFrom('organisations')
    .where('name', '=', demoOrganisation.name)
    .select('id')
    .executeTakeFirst()
  if (known) return known.id
  const { id } = await createOrganisation(services, admin, caller, { ...demoOrganisation, add_people: 1 })
  await updateClient(services, admin, caller, { id: manager, organisation_id: id, organisation_role: 'manager' })
  return id
}

async function alwaysOpen(services: Services, { admin, caller }: Making): Promise<number> {
  const calendars = await allCalendars(services.db)
  const known = calendars.find(({ is_always, is_archived }) => is_always && !is_archived)
  if (known) return known.id
  const always = { name: 'Around the clock', time_zone: officeHours.time_zone, is_always: 1 } as const
  return (await createCalendar(services, admin, caller, always)).id
}

async function office(services: Services, { admin, caller, today }: Making): Promise<number> {
  const known = (await allCalendars(services.db)).find(({ name }) => name === officeHours.name)
  if (known) return known.id
  const thisYear = Number(localDate(today, officeHours.time_zone).slice(0, 4))
  const [days, later] = await Promise.all(
    [thisYear, thisYear + 1].map(async year => (await suggestDays({ ...holidaysOf, year })).days)
  )
  return (await createCalendar(services, admin, caller, { ...officeHours, days: [...days!, ...later!] })).id
}
