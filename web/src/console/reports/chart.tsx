import { type KeyboardEvent, useRef, useState } from 'react'
import { t } from '../../lib/strings.ts'
import { numberText } from '../../lib/times.ts'
import { Link } from '../navigation.ts'
import { bucketText, shortDay } from './day-texts.ts'
import { type BehindSearch, type FigureName, filterPart, type ReportSearch } from './report-search.ts'
import styles from './reports.module.css'
import { type Point, percentText, timeText } from './told-figures.ts'

const height = 220

/** What the tickets behind a bar are, as `reports/tickets` names it. */
const behind: Record<FigureName, BehindSearch['figure']> = {
  new: 'opened',
  answered: 'replies',
  solved: 'closed',
  first_reply: 'first_response',
  solved_in: 'resolution',
  sla: 'breached',
  satisfaction: 'sent'
}

/** One chart: bars, each a link to its tickets in one tab stop, with a line above that says what the chosen one is worth. */
export function Chart({ name, points, search }: { name: FigureName; points: readonly Point[]; search: ReportSearch }) {
  const behindOf = ({ from, to }: Point): BehindSearch => ({
    ...{ figure: behind[name], from, to, ...filterPart(search) },
    // What one has closed oneself, not what was closed in one's departments.
    ...(name === 'solved' ? { report: 'agents' } : {})
  })
  const [at, setAt] = useState<number>()
  const links = useRef<HTMLOListElement>(null)
  const chosen = Math.min(at ?? points.length - 1, points.length - 1)
  const point = points[chosen]
  const most = Math.max(
    name === 'sla' || name === 'satisfaction' ? 100 : 1,
    ...points.map(({ value, other }) => Math.max(value ?? 0, other ?? 0))
  )
  const share = (value: number | null) => `${((value ?? 0) / most) * 100}%`

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
                <Link to="/reports/tickets" search={behindOf(point)}>
                  {t('reports.openTickets', { count: point.count })}
                </Link>
              </>
            )}
          </>
        )}
      </p>
      <div className={styles.plot} style={{ blockSize: height }}>
        <span className={styles.most} aria-hidden>
          {name === 'new' || name === 'answered' || name === 'solved'
            ? numberText(most)
            : name === 'sla' || name === 'satisfaction'
              ? percentText(100)
              : timeText(most)}
        </span>
        <ol ref={links} className={styles.bars} onKeyDown={walk}>
          {points.map((each, index) => (
            <li
              key={each.from}
              data-chosen={index === chosen || undefined}
              data-unfinished={(index === points.length - 1 && search.from === undefined) || undefined}
            >
              <Link
                to="/reports/tickets"
                search={behindOf(each)}
                tabIndex={index === chosen ? 0 : -1}
                aria-label={`${bucketText(each)}: ${each.text}`}
                onPointerEnter={() => setAt(index)}
                onFocus={() => setAt(index)}
              >
                <svg aria-hidden className={styles.bar} preserveAspectRatio="none">
                  <rect
                    className={styles.filled}
                    x="12%"
                    width={each.other === null ? '76%' : '36%'}
                    y="0"
                    height={share(each.value)}
                    rx="2"
                  />
                  {each.other !== null && (
                    <rect className={styles.outlined} x="54%" width="34%" y="0" height={share(each.other)} rx="2" />
                  )}
                </svg>
              </Link>
            </li>
          ))}
        </ol>
      </div>
      <p className={styles.ends} aria-hidden>
        {points[0] && <span>{shortDay(points[0].from)}</span>}
        {points.length > 2 && <span>{shortDay(points[points.length >> 1]!.from)}</span>}
        {points.length > 1 && <span>{shortDay(points.at(-1)!.to)}</span>}
      </p>
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
    </>
  )
}
