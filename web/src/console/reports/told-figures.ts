import { t } from '../../lib/strings.ts'
import { durationText, numberText } from '../../lib/times.ts'
import type { FigureName } from './report-search.ts'
import type { Figures, Sla } from './use-reports.ts'

/** A point of a chart: what it is worth, what is drawn beside it, and how it is said. */
export interface Point {
  from: string
  to: string
  value: number | null
  other: number | null
  text: string
  /** How many tickets are behind it. */
  count: number
}

export interface ToldFigure {
  value: string
  line: string
  points: Point[]
}

export function timeText(seconds: number | null): string {
  return seconds === null ? '–' : durationText(Math.round(seconds / 60))
}

export function percentText(percent: number | null): string {
  return percent === null ? '–' : `${numberText(percent)} %`
}

type SlaValues = Sla['totals']

/** The share of all promises that were met, whatever they promised. */
export function slaShare(values: SlaValues): { n: number; breached: number; percent: number | null } {
  const all = [values.first_response, values.next_response, values.resolution]
  const n = all.reduce((sum, each) => sum + each.n, 0)
  const breached = all.reduce((sum, each) => sum + each.breached, 0)
  return { n, breached, percent: n === 0 ? null : Math.round(((n - breached) / n) * 1000) / 10 }
}

/** What each figure says; undefined while it is loaded. */
export function toldFigure(name: FigureName, figures: Figures): ToldFigure | undefined {
  switch (name) {
    case 'new':
      return figures.volume && toldVolume(figures.volume, figures.before)
    case 'answered':
      return figures.agents && toldWork(figures.agents, 'replies', figures.agentsBefore)
    case 'solved':
      return figures.agents && toldWork(figures.agents, 'closed', figures.agentsBefore)
    case 'first_reply':
      return figures.firstReply && toldTimes(figures.firstReply)
    case 'solved_in':
      return figures.solvedIn && toldTimes(figures.solvedIn)
    case 'sla':
      return figures.sla && toldSla(figures.sla)
    case 'satisfaction':
      return figures.csat && toldCsat(figures.csat)
  }
}

function toldVolume({ totals, series }: NonNullable<Figures['volume']>, before: Figures['before']): ToldFigure {
  return {
    value: numberText(totals.opened),
    line: comparedWith(before?.totals.opened, totals.opened),
    points: series.map(({ from, to, opened, closed, reopened }) => ({
      ...{ from, to, value: opened, other: closed, count: opened },
      text: `${t('reports.newAndSolved', { opened: numberText(opened), closed: numberText(closed) })}${backlogText(opened + reopened - closed)}`
    }))
  }
}

/** ", 13 more in the backlog" */
function backlogText(change: number): string {
  if (change === 0) return ''
  return `, ${t(change > 0 ? 'reports.moreOpen' : 'reports.fewerOpen', { count: numberText(Math.abs(change)) })}`
}

/** What somebody has done themselves. */
function toldWork(
  { totals, series }: NonNullable<Figures['agents']>,
  name: 'replies' | 'closed',
  before: Figures['agentsBefore']
): ToldFigure {
  return {
    value: numberText(totals[name]),
    line: comparedWith(before?.totals[name], totals[name]),
    points: series.map(({ from, to, ...values }) => ({
      ...{ from, to, value: values[name], other: null, count: values[name] },
      text: t(name === 'replies' ? 'reports.answered' : 'reports.solvedCount', { count: numberText(values[name]) })
    }))
  }
}

function comparedWith(former: number | undefined, now: number): string {
  if (!former) return t('reports.nothingBefore')
  const change = Math.round(((now - former) / former) * 100)
  if (change === 0) return t('reports.asBefore')
  return t(change < 0 ? 'reports.fewer' : 'reports.more', { percent: numberText(Math.abs(change)) })
}

function toldTimes({ totals, series }: NonNullable<Figures['firstReply']>): ToldFigure {
  const about = totals.is_about ? t('reports.about') : ''
  return {
    value: timeText(totals.median_seconds),
    line:
      totals.n === 0
        ? t('reports.none')
        : `${about}${t('reports.nineInTen', { time: timeText(totals.p90_seconds), count: numberText(totals.n) })}`,
    points: series.map(({ from, to, n, median_seconds, p90_seconds }) => ({
      ...{ from, to, value: median_seconds, other: p90_seconds, count: n },
      text:
        n === 0
          ? t('reports.none')
          : t('reports.medianOf', {
              median: timeText(median_seconds),
              p90: timeText(p90_seconds),
              count: numberText(n)
            })
    }))
  }
}

function toldSla({ totals, series }: Sla): ToldFigure {
  const all = slaShare(totals)
  return {
    value: percentText(all.percent),
    line:
      all.n === 0 ? t('reports.none') : t('reports.late', { count: numberText(all.breached), of: numberText(all.n) }),
    points: series.map(({ from, to, ...values }) => {
      const { n, breached, percent } = slaShare(values)
      const text = n === 0 ? t('reports.none') : t('reports.late', { count: numberText(breached), of: numberText(n) })
      return { from, to, value: percent, other: null, text, count: breached }
    })
  }
}

function toldCsat({ totals, series }: NonNullable<Figures['csat']>): ToldFigure {
  return {
    value: percentText(totals.percent_good),
    line:
      totals.n === 0
        ? t('reports.none')
        : t('reports.ratings', { good: numberText(totals.good), count: numberText(totals.n) }),
    points: series.map(({ from, to, good, n, percent_good }) => ({
      ...{ from, to, value: percent_good, other: null, count: n },
      text: n === 0 ? t('reports.none') : t('reports.ratings', { good: numberText(good), count: numberText(n) })
    }))
  }
}
