import { type Static, type TProperties, Type } from 'typebox'
import { downloadLinkSeconds } from '../../core/limits.ts'
import { slaMetrics } from '../../core/tables/sla-policies.ts'
import { Id, IsoTime, maxId, Nullable, OneOf, OutputText, Text } from '../../kit/schemas.ts'
import { channels } from '../../tickets/conditions/channel.ts'
import { Priority } from '../../tickets/ticket/schemas.ts'
import { Day } from './days.ts'

/** Whoever works with tickets: what they see without `tickets.view_all`, `questionOf` decides. */
export const reportAccess = {
  anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete']
} as const

export const groups = ['department', 'staff', 'tag', 'priority', 'organisation', 'channel'] as const
export type Group = (typeof groups)[number]

export const filterFields = {
  from: Day('2026-03-01'),
  to: Day('2026-03-31'),
  department_id: Type.Optional(Nullable(Id(4))),
  staff_id: Type.Optional(Nullable(Id(2))),
  tag: Type.Optional(Nullable(Text(50, 'printer'))),
  priority: Type.Optional(Nullable(Priority)),
  organisation_id: Type.Optional(Nullable(Id(3))),
  channel: Type.Optional(Nullable(OneOf(channels, 'email')))
}

export const csvFields = {
  format: Type.Optional(OneOf(['json', 'csv'] as const)),
  bom: Type.Optional(
    Type.Unsafe<0 | 1>({
      type: 'integer',
      enum: [0, 1],
      examples: [0],
      'x-flag': true,
      description:
        'The CSV begins with a byte order mark, by which Excel knows UTF-8. 0 or 1; `false` and `true` are read as these.'
    })
  )
}

export const ReportBody = Type.Object({
  ...filterFields,
  by: Type.Optional(OneOf(['day', 'week', 'month'] as const)),
  group: Type.Optional(Nullable(OneOf(groups))),
  hours: Type.Optional(
    Type.Unsafe<'clock' | 'open'>({
      ...OneOf(['clock', 'open'] as const),
      description: '`open`: times count the open hours of the default calendar alone.'
    })
  ),
  ...csvFields
})
export type ReportBody = Static<typeof ReportBody>

/** What the answer to `format: csv` is. */
export const ReportLink = Type.Object({
  url: OutputText('https://desk.example.com/exports/reports?expires=1795163611&signature=…'),
  expires_in: Type.Integer({ examples: [downloadLinkSeconds] })
})

const Key = Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'], examples: [4] })

/** The answer of a report with these values. */
export function reportOf<P extends TProperties>(values: P) {
  return Type.Object({
    time_zone: OutputText('Europe/Berlin'),
    filled_to: IsoTime(),
    totals: Type.Object(values),
    series: Type.Array(
      Type.Object({
        from: OutputText('2026-03-01'),
        to: OutputText('2026-03-01'),
        utc_offset_minutes: Type.Integer({
          examples: [60],
          description: 'At its beginning: a day on which clocks are changed has 23 or 25 hours.'
        }),
        ...values
      })
    ),
    groups: Type.Array(Type.Object({ key: Key, label: Nullable(OutputText('Technical Support')), ...values }))
  })
}

const Number0 = Type.Integer({ minimum: 0, examples: [12] })
const Percent = Nullable(Type.Number({ minimum: 0, maximum: 100, examples: [87.5] }))
const Seconds = Nullable(Type.Integer({ minimum: 0, maximum: maxId, examples: [5_400] }))

export const volumeValues = { opened: Number0, closed: Number0, reopened: Number0 }

export const timeValues = {
  n: Number0,
  mean_seconds: Seconds,
  median_seconds: Seconds,
  p90_seconds: Seconds,
  is_about: Type.Boolean({
    examples: [false],
    description: 'The median and the 90th percentile are known within 9 %: there are 50,000 values or more.'
  })
}

export const backlogValues = { open: Type.Integer({ examples: [34] }) }

export const SlaValues = Type.Object({
  met: Number0,
  breached: Number0,
  dropped: Number0,
  lifted: Number0,
  n: Number0,
  percent_met: Percent
})
export const slaValues = Object.fromEntries(slaMetrics.map(metric => [metric, SlaValues])) as Record<
  (typeof slaMetrics)[number],
  typeof SlaValues
>

export const csatValues = {
  good: Number0,
  bad: Number0,
  sent: Number0,
  n: Number0,
  percent_good: Percent
}

export const ReportAgent = Type.Object({
  id: Id(2),
  first_name: OutputText('Grace'),
  last_name: OutputText('Hopper')
})
export const ReportTimes = Type.Object(timeValues)
export const CsatValues = Type.Object(csatValues)
const agentValues = {
  replies: Number0,
  closed: Number0,
  first_response: ReportTimes,
  csat: CsatValues
}

/** Groups of `agents` name the member of staff; null for what nobody did. */
export const AgentsReport = Type.Object({
  ...reportOf(agentValues).properties,
  groups: Type.Array(
    Type.Object({
      key: Key,
      label: Nullable(OutputText('Grace Hopper')),
      staff: Type.Union([ReportAgent, Type.Null()]),
      ...agentValues
    })
  )
})
