import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { IsoTime, OutputText } from '../../../kit/schemas.ts'
import { reportAccess } from '../report-schemas.ts'
import { wallFor } from '../wall.ts'

const Number0 = Type.Integer({ minimum: 0, examples: [12] })

/** The figures of a screen in the room. They name nobody. */
export const showWall = endpoint({
  path: '/api/admin/reports/wall',
  summary: 'Figures of now and today for a screen in the room',
  access: reportAccess,
  onlyReads: true,
  data: Type.Object({
    now: IsoTime(),
    time_zone: OutputText('Europe/Berlin'),
    open: Number0,
    unassigned: Number0,
    customer_reply: Number0,
    breaching_soon: { ...Number0, description: 'It stops at 1,000.' },
    opened_today: Number0,
    closed_today: Number0,
    answered_today: { ...Number0, description: 'Tickets that got a public reply by a person.' }
  }),
  async handle({ actor, services }) {
    return { message: 'Figures', data: await wallFor(services, actor) }
  }
})
