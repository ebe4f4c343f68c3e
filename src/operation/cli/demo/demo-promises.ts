import type { SlaMetric, SlaPause } from '../../../core/tables/sla-policies.ts'
import type { TicketPriority } from '../../../core/tables/tickets.ts'
import type { Condition } from '../../../tickets/conditions/schemas.ts'
import type { SlaTarget } from '../../../tickets/sla/policy-types.ts'

// The organisation of the demo, the hours of its desk, and what the desk promises.

export const demoOrganisation = {
  name: 'Weingut Brückner & Söhne KG',
  domains: ['weingut-brueckner.example'],
  note: 'Three sites. Katharina decides, Lukas and Marta are on site.'
}

export const holidaysOf = { country: 'DE', region: 'BE', language: 'en' } as const

const day = [
  ['09:00', '12:30'],
  ['13:00', '17:00']
] as const

export const officeHours = {
  name: 'Berlin office',
  time_zone: 'Europe/Berlin',
  weeks: [{ valid_from: null, hours: { mon: day, tue: day, wed: day, thu: day, fri: day } }]
}

type Minutes = Partial<Record<TicketPriority, Record<SlaMetric, number>>>

interface DemoPolicy {
  name: string
  warn_minutes: number
  pause_on: SlaPause[]
  minutes: Minutes
}

const hour = 60

// The targets are such that nobody to whom a ticket is assigned was late in the past: they would get an e-mail about it now.

export const urgentPolicy: DemoPolicy & { condition: Condition } = {
  name: 'Urgent, or Weingut Brückner',
  condition: { field: 'priority', op: 'in', value: ['High', 'Critical'] },
  warn_minutes: 15,
  pause_on: ['answered', 'snoozed'],
  minutes: {
    Critical: { first_response: 30, next_response: 6 * hour, resolution: 24 * hour },
    High: { first_response: hour, next_response: 8 * hour, resolution: 72 * hour },
    Medium: { first_response: 3 * hour, next_response: 8 * hour, resolution: 72 * hour },
    Low: { first_response: 3.5 * hour, next_response: 8 * hour, resolution: 120 * hour }
  }
}

export const standardPolicy: DemoPolicy = {
  name: 'Standard',
  warn_minutes: 60,
  pause_on: ['answered', 'snoozed'],
  minutes: {
    Medium: { first_response: 7.5 * hour, next_response: 15 * hour, resolution: 40 * hour },
    Low: { first_response: 24 * hour, next_response: 24 * hour, resolution: 80 * hour }
  }
}

/** These times as the targets of a policy, counted in the open time of a calendar. */
export function targetsIn(calendar_id: number, times: Minutes): SlaTarget[] {
  return Object.entries(times).flatMap(([priority, ofPriority]) =>
    Object.entries(ofPriority).map(([metric, minutes]) => ({
      metric: metric as SlaMetric,
      priority: priority as TicketPriority,
      minutes,
      calendar_id
    }))
  )
}
