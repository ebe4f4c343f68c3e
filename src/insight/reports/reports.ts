import { sql } from 'kysely'
import { type Db, transaction } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Figure } from '../../core/tables/reports.ts'
import { slaMetrics } from '../../core/tables/sla-policies.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { reportState } from '../facts/report-state.ts'
import { catchUpReports, countedUpTo } from '../facts/report-work.ts'
import { type Bucket, bucketsOf } from './buckets.ts'
import { type GroupLabel, groupLabels } from './group-labels.ts'
import { keptOr } from './kept-answers.ts'
import type { Question, ReportName } from './question.ts'
import { type Sum, type Sums, sumsOf } from './sums.ts'
import { none, type Percentiles, timesOf } from './times.ts'

/** How many of each figure, and how many seconds they took. */
type Totals = ReadonlyMap<Figure, { n: number; seconds: number }>

type Values = Record<string, unknown>

interface Report {
  figures: readonly Figure[]
  /** The figure whose median and 90th percentile it tells. */
  measures?: Figure
  /** It tells what is there at the end of a day, not what came on it. */
  isStock?: true
  values(totals: Totals, times: Percentiles): Values
}

const n = (totals: Totals, figure: Figure) => totals.get(figure)?.n ?? 0

function timeValues(figure: Figure) {
  return (totals: Totals, { median, p90, isAbout }: Percentiles) => {
    const { n = 0, seconds = 0 } = totals.get(figure) ?? {}
    const mean_seconds = n === 0 ? null : Math.round(seconds / n)
    return { n, mean_seconds, median_seconds: median, p90_seconds: p90, is_about: isAbout }
  }
}

/** Below so many answers there is no percentage (Q4). */
const fewestAnswers = 5

function csatValuesOf(totals: Totals) {
  const [good, bad] = [n(totals, 'good'), n(totals, 'bad')]
  const percent_good = good + bad < fewestAnswers ? null : percent(good, good + bad)
  return { good, bad, sent: n(totals, 'sent'), n: good + bad, percent_good }
}

function percent(part: number, all: number): number | null {
  return all === 0 ? null : Math.round((part / all) * 1000) / 10
}

function slaValuesOf(totals: Totals) {
  return Object.fromEntries(
    slaMetrics.map(metric => {
      const [met, breached] = [n(totals, `${metric}.met`), n(totals, `${metric}.breached`)]
      const [dropped, lifted] = [n(totals, `${metric}.dropped`), n(totals, `${metric}.lifted`)]
      const percent_met = percent(met, met + breached)
      return [metric, { met, breached, dropped, lifted, n: met + breached, percent_met }]
    })
  )
}

export const reports: Record<ReportName, Report> = {
  volume: {
    figures: ['opened', 'closed', 'reopened'],
    values: totals => ({ opened: n(totals, 'opened'), closed: n(totals, 'closed'), reopened: n(totals, 'reopened') })
  },
  'first-response': { figures: ['first_response'], measures: 'first_response', values: timeValues('first_response') },
  resolution: { figures: ['resolution'], measures: 'resolution', values: timeValues('resolution') },
  backlog: { figures: ['open'], isStock: true, values: totals => ({ open: n(totals, 'open') }) },
  sla: {
    figures: slaMetrics.flatMap(metric =>
      (['met', 'breached', 'dropped', 'lifted'] as const).map(outcome => `${metric}.${outcome}` as const)
    ),
    values: slaValuesOf
  },
  csat: { figures: ['sent', 'good', 'bad'], values: csatValuesOf },
  agents: {
    figures: ['replies', 'closed', 'first_response', 'sent', 'good', 'bad'],
    measures: 'first_response',
    values: (totals, times) => ({
      replies: n(totals, 'replies'),
      closed: n(totals, 'closed'),
      first_response: timeValues('first_response')(totals, times),
      csat: csatValuesOf(totals)
    })
  }
}

export interface Answer {
  time_zone: string
  filled_to: string
  totals: Values
  series: (Bucket & Values)[]
  groups: (GroupLabel & Values)[]
}

/** What one question may cost: times are told exactly below so many, and a statement may take so long. */
export const limits = { mostExact: 50_000, withinMilliseconds: 3_000 }

/** The answer to a question: all of one moment, after what has happened until now was counted. */
export async function reportFor(
  services: Services,
  name: ReportName,
  question: Question,
  { mostExact, withinMilliseconds } = limits
): Promise<Answer> {
  await catchUpReports(services)
  return await ofOneMoment(services.db, { withinMilliseconds }, async db => {
    const { zone, version } = await reportState(db)
    const asked = { version, question: JSON.stringify([name, question, zone, mostExact]) }
    const { totals, series, groups } = await keptOr(services.db, asked, () => told(db, name, question, mostExact))
    const keys = groups.map(({ key }) => key)
    const labels = question.group ? await groupLabels(db, question.group, keys) : new Map<number, GroupLabel>()
    return {
      time_zone: zone,
      filled_to: ((await countedUpTo(db)) ?? services.clock.now()).toISOString(),
      totals,
      series,
      groups: groups
        .map(({ key, values }) => ({
          ...labels.get(key)!,
          ...(name === 'agents' ? { staff: personOf(labels.get(key)!) } : {}),
          ...values
        }))
        .toSorted(byLabel)
    }
  })
}

interface Told extends Pick<Answer, 'totals' | 'series'> {
  groups: { key: number; values: Values }[]
}

/** What a report says, but for the names of groups. */
async function told(db: Db, name: ReportName, question: Question, mostExact: number): Promise<Told> {
  const report = reports[name]
  const { isStock = false, measures: figure } = report
  const buckets = await bucketsOf(db, question)
  const sums = await sumsOf(db, question, buckets, report.figures, { sinceEver: isStock })
  const total = totalled(sums.buckets)
  const times = figure && (await timesOf(db, { question, buckets, figure }, { n: n(total, figure), mostExact }))
  return {
    totals: report.values(total, times?.total ?? none),
    series: bucketed(sums.buckets, buckets.days, isStock).map(({ bucket, totals }, at) => ({
      ...bucket,
      ...report.values(totals, times?.buckets.get(at) ?? none)
    })),
    groups: [...Map.groupBy(sums.groups, ({ key }) => key)]
      .filter(([, sums]) => sums.some(sum => sum.n !== 0))
      .map(([key, sums]) => ({ key, values: report.values(totalled(sums), times?.groups.get(key) ?? none) }))
  }
}

/** Reads of one moment; what takes too long is refused rather than waited for. */
export async function ofOneMoment<T>(
  db: Db,
  { withinMilliseconds }: { withinMilliseconds: number },
  read: (db: Db) => Promise<T>
): Promise<T> {
  try {
    return await transaction(db, async db => {
      await sql`set transaction isolation level repeatable read, read only`.execute(db)
      await sql`set local statement_timeout = ${sql.lit(withinMilliseconds)}`.execute(db)
      return await read(db)
    })
  } catch (error) {
    if ((error as { code?: string }).code !== queryCanceled) throw error
    throw InvalidFields({
      message: 'This report takes too long: ask for a shorter time or fewer filters',
      errors: ['from', 'to']
    })
  }
}

const queryCanceled = '57014'

function totalled(sums: readonly Sum[]): Totals {
  const totals = new Map<Figure, { n: number; seconds: number }>()
  for (const { figure, n, seconds } of sums) {
    const total = totals.get(figure) ?? { n: 0, seconds: 0 }
    totals.set(figure, { n: total.n + n, seconds: total.seconds + (seconds ?? 0) })
  }
  return totals
}

/** What each bucket adds up to; of a stock, with all before it. */
function bucketed(sums: Sums['buckets'], buckets: readonly Bucket[], isStock: boolean) {
  const byBucket = Map.groupBy(sums, ({ bucket }) => bucket)
  let before: readonly Sum[] = byBucket.get(-1) ?? []
  return buckets.map((bucket, at) => {
    const own = byBucket.get(at) ?? []
    const totals = totalled(isStock ? [...before, ...own] : own)
    if (isStock) before = [...totals].map(([figure, total]) => ({ figure, ...total }))
    return { bucket, totals }
  })
}

function personOf({ key, first_name, last_name }: GroupLabel) {
  return first_name === undefined ? null : { id: key, first_name, last_name }
}

/** Nobody comes last. */
function byLabel(one: GroupLabel, other: GroupLabel): number {
  if (one.key === null || other.key === null) return (one.key === null ? 1 : 0) - (other.key === null ? 1 : 0)
  return (one.label ?? '').localeCompare(other.label ?? '')
}
