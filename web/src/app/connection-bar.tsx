import { Clock, WifiOff } from 'lucide-react'
import { t } from '../lib/strings.ts'
import { timeInText } from '../lib/times.ts'
import { Badge } from '../ui/badge.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { useOfflineSince } from './connection.ts'
import './connection-bar.css'
import { useQueuedSends } from './queued-sends.ts'

/** Shown on every page while offline: since when, and the queued sends. */
export function ConnectionBar() {
  const since = useOfflineSince()
  const waiting = useQueuedSends()
  if (!since && waiting.length === 0) return null
  return (
    <div className="connection-bar">
      {since && (
        <Banner tone="warn" icon={WifiOff}>
          {t('ui.offlineSince', { time: timeInText(since) })}
        </Banner>
      )}
      {waiting.length > 0 && (
        <ul className="waiting-sends" aria-label={t('ui.waitingSends')}>
          {waiting.map(send => (
            <li key={send.id}>
              <Badge tone="amber" icon={Clock}>
                {send.label}
              </Badge>
              <span className="grow">{t('ui.goesOutWhenBack')}</span>
              <Button
                size="sm"
                variant="quiet"
                onClick={send.cancel}
                aria-label={t('ui.cancelNamed', { name: send.label })}
              >
                {t('ui.cancelSend')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
