import type { DataOf } from '@deskline/client'
import { Check, X } from 'lucide-react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { type Key, t } from '../../../lib/strings.ts'
import { choiceText, numberText } from '../../../lib/times.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Time } from '../../../ui/time.tsx'
import { Link } from '../../navigation.ts'
import styles from './api-access.module.css'

const list = '/api/admin/service-accounts/calls/list'
type Calls = DataOf<typeof list>
type Call = Calls['calls'][number]

/** What a service account called last: what went through, what was refused, and which right was missing. */
export function LastCalls({ id }: { id: number }) {
  const calls = useApiQuery(list, { id }, { refetchInterval: 10_000 })
  return (
    <aside className={styles.stack}>
      <section className="card" aria-labelledby="last-calls">
        <div className="hd">
          <h2 id="last-calls" className="grow">
            {t('admin.api.lastCalls')}
          </h2>
          {calls.data && (
            <span className={styles.aside}>{t('admin.api.callsToday', { count: calls.data.calls_today })}</span>
          )}
        </div>
        <QueryState query={calls} skeleton={<Skeleton rows={5} />}>
          {({ calls }) =>
            calls.length === 0 ? (
              <p className={styles.body}>{t('admin.api.noCalls')}</p>
            ) : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must do so by key as well.
              <ul className={`${styles.rows} ${styles.calls}`} tabIndex={0} aria-labelledby="last-calls">
                {calls.map(call => (
                  <CallRow key={call.id} call={call} />
                ))}
              </ul>
            )
          }
        </QueryState>
        <p className={styles.body}>
          <Link to="/audit" search={{ by: `staff-${id}` }} className="link">
            {t('admin.allInAuditLog')}
          </Link>
        </p>
      </section>
      {calls.data && calls.data.refused_this_week > 0 && <p className={styles.aside}>{refusedText(calls.data)}</p>}
    </aside>
  )
}

function CallRow({ call }: { call: Call }) {
  const { path, status, is_refused, token_name, network, at } = call
  const isDone = status < 400
  return (
    <li data-failed={!isDone || undefined} title={t('admin.api.callBy', { token: token_name, network })}>
      {isDone ? <Check size={14} aria-hidden /> : <X size={14} aria-hidden />}
      <span className={styles.call}>
        <code>{path}</code>
        {!isDone && (
          <span>{is_refused ? whyRefused(call) : t('admin.api.failed', { status: numberText(status) })}</span>
        )}
        {isDone && <span className="visually-hidden">{t('admin.api.wentThrough')}</span>}
      </span>
      <Time at={at} />
    </li>
  )
}

const reasons: Record<string, Key> = {
  read_only_token: 'admin.api.refusedReadOnly',
  sign_in_required: 'admin.api.refusedSignIn',
  address_not_allowed: 'admin.api.refusedAddress',
  too_many_attempts: 'admin.api.refusedLimit'
}

function whyRefused({ missing_permissions: missing, reason }: Call): string {
  if (missing && missing.length > 0) return t('admin.api.refusedLacks', { rights: rightsText(missing) })
  return t(reasons[reason ?? ''] ?? 'admin.api.refused')
}

/** These rights, any of which would have done. */
function rightsText(slugs: readonly string[]): string {
  return choiceText(slugs.map(slug => t('admin.api.quoted', { right: t(`admin.permission.${slug}` as Key) })))
}

/** How often it was refused this week, and for which right if it was always the same. */
function refusedText({ calls, refused_this_week: count }: Calls): string {
  const missing = new Set(
    calls
      .filter(({ is_refused }) => is_refused === 1)
      .map(({ missing_permissions }) => missing_permissions?.join() ?? '')
  )
  const [only = ''] = missing
  return missing.size === 1 && only !== ''
    ? t('admin.api.refusedAlways', { count, rights: rightsText(only.split(',')) })
    : t('admin.api.refusedWeek', { count })
}
