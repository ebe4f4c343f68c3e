import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { t } from '../../lib/strings.ts'
import { Link } from '../navigation.ts'
import { bucketText, shortDay } from './day-texts.ts'
import { today } from './report-question.ts'
import { type BehindSearch, behindPart, type FigureName, type ReportSearch } from './report-search.ts'
import styles from './reports.module.css'
import { isLine, scaleOf } from './scale.ts'
import type { Point } from './told-figures.ts'

/** What the tickets behind a bar are, as `reports/tickets` names it. */
const behind: Record<FigureName, BehindSearch['figure']> = {
  new: 'opened',
  answered: 'replies',
  solved: 'closed',
  first_reply: 'first_response',
  solved_in: 'resolution',
  sla: 'breached',
  satisfaction: 'rated'
}

/** Of these each ticket counts once, so that there are as many as the figure says. */
const isOncePerTicket = (figure: BehindSearch['figure']) =>
  figure === 'opened' || figure === 'first_response' || figure === 'resolution'

const mostLabels = 6

/**
 * One chart: bars, or a line, against lines at round values. Each bucket is a link to its tickets, all in one tab stop, with a line above that says
 * what the chosen one is worth.
 */
export function Chart({
  name,
  points,
  search,
  children
}: {
  name: FigureName
  points: readonly Point[]
  search: ReportSearch
  /** Stands beside the switch to the table. */
  children: ReactNode
}) {
  const behindOf = ({ from, to }: Point): BehindSearch => ({
    ...{ figure: behind[name], from, to, ...behindPart(search) },
    // What one has closed oneself, not what was closed in one's departments.
    ...(name === 'solved' ? { report: 'agents' } : {})
  })
  const [at, setAt] = useState<number>()
  const links = useRef<HTMLOListElement>(null)
  const chosen = Math.min(at ?? points.length - 1, points.length - 1)
  const point = points[chosen]
  const { least, most, ticks } = scaleOf(name, points)
  const share = (value: number | null) => `${(((value ?? least) - least) / (most - least)) * 100}%`
  const labelled = Math.ceil(points.length / mostLabels)

  function walk(event: KeyboardEvent) {
    const to = { ArrowRight: chosen + 1, ArrowLeft: chosen - 1, Home: 0, End: points.length - 1 }[event.key]
    if (to === undefined || !points[to]) return
    event.preventDefault()
    setAt(to)
    links.current?.querySelectorAll('a')[to]?.focus()
  }

  return (
    <>
      <p className={styles.readout} aria-live="polite">
        {point && (
          <>
            <b>{bucketText(point)}</b> <span>{point.text}</span>
            {point.count > 0 && (
              <>
                {' '}
                <Link className="link" to="/reports/tickets" search={behindOf(point)}>
                  {isOncePerTicket(behind[name])
                    ? t('reports.openTickets', { count: point.count })
                    : t('reports.openBehind')}
                </Link>
              </>
            )}
          </>
        )}
      </p>
      <div className={styles.plot}>
        <div className={styles.scale} aria-hidden>
          {ticks.map(({ at, text }) => (
            <span key={at} style={{ insetBlockEnd: share(at) }}>
              {text}
            </span>
          ))}
        </div>
        <div className={styles.area}>
          {ticks.map(({ at }) => (
            <span key={at} className={styles.grid} style={{ insetBlockEnd: share(at) }} />
          ))}
          <ol ref={links} className={styles.bars} onKeyDown={walk}>
            {points.map((each, index) => (
              <li
                key={each.from}
                data-chosen={index === chosen || undefined}
                data-unfinished={each.to >= today() || undefined}
              >
                <Link
                  to="/reports/tickets"
                  search={behindOf(each)}
                  tabIndex={index === chosen ? 0 : -1}
                  aria-label={`${bucketText(each)}: ${each.text}`}
                  onPointerEnter={() => setAt(index)}
                  onFocus={() => setAt(index)}
                >
                  {isLine(name) ? (
                    each.value !== null && <span className={styles.dot} style={{ insetBlockEnd: share(each.value) }} />
                  ) : (
                    <Bars point={each} share={share} />
                  )}
                </Link>
                {index % labelled === 0 && (
                  <span className={styles.day} aria-hidden>
                    {shortDay(each.from)}
                  </span>
                )}
              </li>
            ))}
          </ol>
          {isLine(name) && <Lines points={points} share={share} />}
        </div>
      </div>
      <div className={styles.foot}>
        <details className={styles.asTable}>
          <summary>{t('reports.asTable')}</summary>
          <table className="tbl">
            <caption className="visually-hidden">{t(`reports.figure.${name}`)}</caption>
            <tbody>
              {points.map(each => (
                <tr key={each.from}>
                  <th scope="row">{bucketText(each)}</th>
                  <td>{each.text}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
        {children}
      </div>
    </>
  )
}

type Share = (value: number | null) => string

function Bars({ point: { value, other }, share }: { point: Point; share: Share }) {
  return (
    <svg aria-hidden className={styles.bar} preserveAspectRatio="none">
      <rect
        className={styles.filled}
        x="14%"
        width={other === null ? '72%' : '34%'}
        y="0"
        height={share(value)}
        rx="2"
      />
      {other !== null && <rect className={styles.outlined} x="54%" width="32%" y="0" height={share(other)} rx="2" />}
    </svg>
  )
}

/** The line of the values, and a thin one of what stands beside them; a bucket without a value has no point. */
function Lines({ points, share }: { points: readonly Point[]; share: Share }) {
  const path = (value: (point: Point) => number | null) =>
    points
      .flatMap((point, at) => {
        const height = value(point)
        return height === null
          ? []
          : [`${((at + 0.5) / points.length) * 100},${100 - Number.parseFloat(share(height))}`]
      })
      .join(' ')
  return (
    <svg className={styles.lines} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
      <polyline className={styles.beyond} points={path(({ other }) => other)} />
      <polyline points={path(({ value }) => value)} />
    </svg>
  )
}

/** What is filled or drawn, and what is outlined, of charts that tell two things. */
export function Legend({ name }: { name: FigureName }) {
  if (name !== 'new' && name !== 'first_reply' && name !== 'solved_in') return null
  const kind = isLine(name) ? 'line' : 'bar'
  return (
    <span className={styles.legend} data-kind={kind}>
      <span data-mark="filled">{t(kind === 'bar' ? 'reports.figure.new' : 'reports.median')}</span>
      <span data-mark="outlined">{t(kind === 'bar' ? 'reports.solved' : 'reports.nineOfTen')}</span>
    </span>
  )
}
