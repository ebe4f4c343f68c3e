import type { KeyboardEvent } from 'react'
import { t } from '../../lib/strings.ts'
import type { FigureName } from './report-search.ts'
import styles from './reports.module.css'
import { type Point, toldFigure } from './told-figures.ts'
import type { Figures } from './use-reports.ts'

/** Five figures as tabs of the chart: arrows, Home and End walk them. */
export function FigureTabs({
  names,
  figures,
  chosen,
  isEmpty,
  onChoose
}: {
  names: readonly FigureName[]
  figures: Figures
  chosen: FigureName
  /** Nothing is counted at all. */
  isEmpty: boolean
  onChoose: (name: FigureName) => void
}) {
  function walk(event: KeyboardEvent) {
    const at = names.indexOf(chosen)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = names[(to + names.length) % names.length]!
    onChoose(next)
    document.getElementById(`figure-${next}`)?.focus()
  }
  return (
    <div role="tablist" aria-label={t('reports.figures')} className={styles.figures} onKeyDown={walk}>
      {names.map(name => {
        const told = toldFigure(name, figures)
        return (
          <button
            key={name}
            id={`figure-${name}`}
            type="button"
            role="tab"
            aria-selected={name === chosen}
            aria-controls="report-chart"
            tabIndex={name === chosen ? 0 : -1}
            className={styles.figure}
            onClick={() => onChoose(name)}
          >
            <span className={styles.label}>{t(`reports.figure.${name}`)}</span>
            <span className={styles.value}>{isEmpty ? '–' : (told?.value ?? '…')}</span>
            {!isEmpty && (
              <>
                <span className={styles.line}>{told?.line ?? ' '}</span>
                <Sparkline points={told?.points ?? []} />
              </>
            )}
          </button>
        )
      })}
    </div>
  )
}

/** The figures in their places while their values come, and the place of the chart. */
export function ReportsSkeleton({ names, chart }: { names: readonly FigureName[]; chart: FigureName }) {
  return (
    <>
      <div className={styles.figures}>
        {names.map(name => (
          <div key={name} className={styles.figure}>
            <span className={styles.label}>{t(`reports.figure.${name}`)}</span>
            <span className={styles.comes}>
              <span className="sk w1" />
              <span className="sk w2" />
            </span>
          </div>
        ))}
      </div>
      <div className={styles.panel}>
        <div className={styles.panelHead}>
          <h2>{t(`reports.chart.${chart}`)}</h2>
        </div>
        <div className={styles.chartComes} />
      </div>
    </>
  )
}

function Sparkline({ points }: { points: readonly Point[] }) {
  const known = points.flatMap(({ value }, at) => (value === null ? [] : [{ at, value }]))
  const most = Math.max(1, ...known.map(({ value }) => value))
  const last = Math.max(1, points.length - 1)
  const path = known.map(({ at, value }) => `${(at / last) * 100},${23 - (value / most) * 22}`).join(' ')
  return (
    <svg className={styles.sparkline} viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden>
      <polyline points={path} />
    </svg>
  )
}
