import { Type } from 'typebox'
import { IsoTime, Nullable } from '../../../kit/schemas.ts'
import { endpoint } from '../../endpoint.ts'
import { ListedCalendar } from '../calendar-schemas.ts'
import { allCalendars, nextOpenings } from '../calendars.ts'

/** All calendars without their days: staff choose one when they snooze a ticket until it opens. */
export const listCalendars = endpoint({
  path: '/api/admin/calendars/list',
  aliases: ['/api/admin/calendars'],
  summary: 'List the calendars of business hours',
  access: 'staff',
  onlyReads: true,
  data: Type.Object({
    calendars: Type.Array(
      Type.Object({
        ...ListedCalendar.properties,
        opens_at: {
          ...Nullable(IsoTime()),
          description: 'When it next opens; null: it is always open, archived or does not open within five years.'
        }
      })
    )
  }),
  async handle({ services }) {
    const calendars = await allCalendars(services.db)
    const openings = await nextOpenings(services.db, calendars, services.clock.now())
    const data = { calendars: calendars.map(each => ({ ...each, opens_at: openings.get(each.id) ?? null })) }
    return { message: 'Calendars', data }
  }
})
