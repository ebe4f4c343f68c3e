import { Plane } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '../../lib/strings.ts'
import { comingTimeInText } from '../../lib/times.ts'
import { Banner } from '../../ui/banner.tsx'
import { comeBack } from '../account/set-away.ts'
import { endOfAway } from '../away.ts'

/** The longest that a browser waits. */
const longestWait = 2 ** 31 - 1

/** Shown on every page to whoever is away, until they are back. */
export function AwayBar({ until }: { until: string }) {
  const [, setTick] = useState(0)
  const end = endOfAway(until)
  useEffect(() => {
    if (!end) return
    const timer = setTimeout(() => setTick(tick => tick + 1), Math.min(end.getTime() - Date.now() + 50, longestWait))
    return () => clearTimeout(timer)
  })
  if (!end) return null
  return (
    <div className="connection-bar">
      <Banner icon={Plane} action={{ label: t('console.iAmBack'), onClick: () => void comeBack() }}>
        {t('console.youAreAway', { time: comingTimeInText(end) })}
      </Banner>
    </div>
  )
}
