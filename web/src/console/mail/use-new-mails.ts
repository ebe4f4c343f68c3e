import { useEffect, useRef, useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useLiveEvents } from '../../app/event-stream.ts'
import type { LoggedMail } from '../mail-log/logged-mail.ts'
import type { filterOf } from './log-search.ts'

/** The shortest time between two looks. */
const pause = 3000
const most = 50

/** How many e-mails (up to 50) have come since the newest that is shown. Looked up when the desk says that anything has happened. */
export function useNewMails(
  filter: ReturnType<typeof filterOf>,
  newest: LoggedMail['id'] | undefined,
  shownAt: number
): number {
  const [found, setFound] = useState({ shownAt: 0, count: 0 })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const look = useRef(async () => {})
  look.current = async () => {
    timer.current = undefined
    if (shownAt === 0) return
    const answer = await post('/api/admin/mail/log/list', { ...filter, limit: most }).catch(() => undefined)
    const count = answer?.mails.filter(({ id }) => id > (newest ?? 0)).length ?? 0
    setFound({ shownAt, count })
  }
  useLiveEvents(() => {
    timer.current ??= setTimeout(() => void look.current(), pause)
  })
  return found.shownAt === shownAt ? found.count : 0
}
