import { useRef } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { useLiveEvents } from '../../app/event-stream.ts'
import { QueryState } from '../../app/query-state.tsx'
import { reloadQueries } from '../../app/reload-queries.ts'
import { t } from '../../lib/strings.ts'
import { instantOf, numberText, timeInText } from '../../lib/times.ts'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Link } from '../navigation.ts'
import styles from './wall.module.css'

const pause = 2_000
const shown = ['open', 'unassigned', 'breaching_soon', 'answered_today'] as const

/** A page for a screen in the room: what waits and what was done today, without names, readable at five metres. */
export function WallPage() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLiveEvents(({ kind }) => {
    if (!/^(ticket|sla)\./.test(kind)) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void reloadQueries('/api/admin/reports/wall')
    }, pause)
  })
  const figures = useApiQuery('/api/admin/reports/wall', {}, { refetchInterval: 60_000 })
  return (
    <main className={styles.page}>
      <Page
        title={t('reports.wall')}
        width="full"
        lede={figures.data && t('reports.wallTime', { time: timeInText(instantOf(figures.data.now)) })}
        back={
          <Link to="/reports" className="back-link">
            {t('reports.leaveWall')}
          </Link>
        }
      >
        <QueryState query={figures} skeleton={<Skeleton rows={4} />}>
          {wall => (
            <dl className={styles.wall}>
              {shown.map(name => (
                <div key={name} data-bad={(name === 'breaching_soon' && wall[name] > 0) || undefined}>
                  <dt>{t(`reports.wallFigure.${name}`)}</dt>
                  <dd>{numberText(wall[name])}</dd>
                </div>
              ))}
            </dl>
          )}
        </QueryState>
      </Page>
    </main>
  )
}
