import { useRef } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { useLiveEvents } from '../../app/event-stream.ts'
import { useMe } from '../../app/me.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import { pageAccess } from '../page-access.ts'

/** The shortest time between two reloads. */
const pause = 1000

/** How many e-mails are held, and for which reasons. Undefined until it is loaded, and for people who may not see them. */
export function useHeldCounts() {
  const me = useMe()
  const { data } = useApiQuery(
    '/api/admin/mail/held/list',
    { limit: 1 },
    { enabled: pageAccess.mail(me), retry: false }
  )
  return data && { total: data.total, reasons: data.reasons }
}

/** Keeps the lists of held e-mails up to date. Use it once per page. */
export function useLiveHeldMail(): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLiveEvents(({ kind }) => {
    if (!kind.startsWith('mail.')) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void reloadQueries('/api/admin/mail/held/list', '/api/admin/mail/blocked/list')
    }, pause)
  })
}
