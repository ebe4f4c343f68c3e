import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { ratings, voidedReasons } from '../../../core/tables/csat.ts'
import { Id, IsoTime, Nullable, OneOf, OutputText, PageLimit, Text } from '../../../kit/schemas.ts'
import { channels } from '../../../tickets/conditions/channel.ts'
import { Priority, TicketNumber } from '../../../tickets/ticket/schemas.ts'
import { Day } from '../../reports/days.ts'
import { limits, listedSurveys } from '../listed-surveys.ts'

/** One closing: the rating, or the reason why nobody was asked. */
export const ListedSurvey = Type.Object({
  id: Id(),
  ticket: Type.Object({ id: Id(), ticket_number: TicketNumber, subject: OutputText('The printer is on fire') }),
  closed_at: IsoTime(),
  sent_at: Nullable(IsoTime()),
  voided_reason: Nullable(OneOf(voidedReasons)),
  rating: Nullable(OneOf(ratings)),
  comment: Nullable(OutputText('Quick and kind, thank you')),
  rated_at: Nullable(IsoTime()),
  changed_at: Nullable(IsoTime()),
  staff_id: Nullable(Id(2)),
  staff_name: Nullable(OutputText('Grace Hopper')),
  client_name: OutputText('Ada Lovelace')
})

const WithComment = Type.Unsafe<0 | 1>({
  type: 'integer',
  enum: [0, 1],
  examples: [1],
  'x-flag': true,
  description: '1: only those with words of the client.'
})

/**
 * Lists the closings of tickets that the caller sees, the newest first, each with its rating or the reason why nobody was asked. `from` and `to` are
 * the days of the first rating, in the zone of the desk; the other filters are those of reports.
 */
export const listSurveys = endpoint({
  path: '/api/admin/csat/list',
  aliases: ['/api/admin/csat'],
  summary: 'List the ratings of clients',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  onlyReads: true,
  body: Type.Object({
    rating: Type.Optional(OneOf(ratings, 'bad')),
    state: Type.Optional(OneOf(['rated', 'sent', 'voided', 'waiting'] as const)),
    with_comment: Type.Optional(WithComment),
    ticket_id: Type.Optional(Id()),
    from: Type.Optional(Day('2026-03-01')),
    to: Type.Optional(Day('2026-03-31')),
    staff_id: Type.Optional(Nullable(Id(2))),
    department_id: Type.Optional(Id(4)),
    tag: Type.Optional(Text(50, 'printer')),
    priority: Type.Optional(Priority),
    organisation_id: Type.Optional(Nullable(Id(3))),
    channel: Type.Optional(OneOf(channels, 'email')),
    cursor: Type.Optional(Text(50, 'Mjk')),
    limit: Type.Optional(PageLimit(limits))
  }),
  data: Type.Object({ surveys: Type.Array(ListedSurvey), next_cursor: Nullable(OutputText('Mjk')) }),
  async handle({ body, actor, services }) {
    return { message: 'Ratings', data: await listedSurveys(services.db, actor, body) }
  }
})
