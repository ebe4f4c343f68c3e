import type { DataOf } from '@deskline/client'
import { Fragment, useState } from 'react'
import { t } from '../../../lib/strings.ts'
import { fullTime, instantOf, utcTime } from '../../../lib/times.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import styles from './audit.module.css'
import type { AuditFilter } from './audit-search.ts'
import '../../../ui/table.css'

type AuditEntry = DataOf<'/api/admin/audit/list'>['entries'][number]

interface AuditRowsProps {
  entries: AuditEntry[]
  /** This row is expanded from the beginning, because a link leads to it. */
  opened: number | undefined
  filter: AuditFilter
  onFilter: (filter: AuditFilter) => void
}

/** The rows of the log; each expands to the values before and after. */
export function AuditRows({ entries, opened, filter, onFilter }: AuditRowsProps) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set(opened === undefined ? [] : [opened]))

  function toggle(id: number) {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }

  return (
    <div className="card">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must do so by key as well. */}
      <section className="tbl-scroll" aria-label={t('admin.auditLog')} tabIndex={0}>
        <table className="tbl dense">
          <caption className="visually-hidden">{t('admin.auditLog')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('admin.row')}</th>
              <th scope="col">{t('admin.who')}</th>
              <th scope="col">{t('admin.action')}</th>
              <th scope="col">{t('admin.on')}</th>
              <th scope="col">{t('admin.whatChanged')}</th>
              <th scope="col">{t('admin.from')}</th>
              <th scope="col" className="r">
                {t('admin.whenUtc')}
              </th>
            </tr>
          </thead>
          <tbody>
            {entries.map(entry => (
              <Fragment key={entry.id}>
                <Row entry={entry} isOpen={open.has(entry.id)} onToggle={() => toggle(entry.id)} />
                {open.has(entry.id) && <Change entry={entry} filter={filter} onFilter={onFilter} />}
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

function Row({ entry, isOpen, onToggle }: { entry: AuditEntry; isOpen: boolean; onToggle: () => void }) {
  const { id, action, actor_type, actor_id, actor_name, ip_address, created_at } = entry
  const instant = instantOf(created_at)
  const kind = actor_type === 'system' ? undefined : actor_type
  return (
    <tr className={styles.row}>
      <td className="num t2">
        <button type="button" className={styles.opener} aria-expanded={isOpen} onClick={onToggle}>
          {id}
        </button>
      </td>
      <td>
        <span className={styles.who}>
          {kind && actor_id !== null && <Avatar person={{ id: actor_id, name: actor_name, kind }} size={22} />}
          <bdi>{actor_name}</bdi>
        </span>
      </td>
      <td className="mono">{action}</td>
      <td>{targetOf(entry)}</td>
      <td className={`t2 ${styles.summary}`}>{summaryOf(entry)}</td>
      <td className="mono muted">{ip_address}</td>
      <td className={`r t2 ${styles.when}`}>
        <time dateTime={instant.toISOString()} title={fullTime(instant)}>
          {utcTime(instant)}
        </time>
      </td>
    </tr>
  )
}

function Change({ entry, filter, onFilter }: Pick<AuditRowsProps, 'filter' | 'onFilter'> & { entry: AuditEntry }) {
  const { before, after, request_id, target_type, target_id } = entry
  const { row: _, ...others } = filter
  return (
    <tr className={styles.change}>
      <td colSpan={7}>
        <dl className={styles.sides}>
          <div>
            <dt>{t('admin.before')}</dt>
            <dd>
              <Facts facts={before} />
            </dd>
          </div>
          <div>
            <dt>{t('admin.after')}</dt>
            <dd>
              <Facts facts={after} />
            </dd>
          </div>
        </dl>
        <p className={styles.more}>
          {request_id && (
            <span>
              {t('admin.request')} <code>{request_id}</code>
            </span>
          )}
          {target_id !== null && (
            <button
              type="button"
              className="link"
              onClick={() => onFilter({ ...others, target: target_type, targetId: target_id })}
            >
              {t('admin.allOnThis')}
            </button>
          )}
        </p>
      </td>
    </tr>
  )
}

function Facts({ facts }: { facts: Record<string, unknown> | null }) {
  const entries = Object.entries(facts ?? {})
  if (entries.length === 0) return <span className="muted">{t('admin.nothing')}</span>
  return (
    <ul className={styles.facts}>
      {entries.map(([name, value]) => (
        <li key={name}>
          <span>{name}</span> <code>{textOf(value)}</code>
        </li>
      ))}
    </ul>
  )
}

function targetOf({ target_type, target_id }: AuditEntry): string {
  return target_id === null ? target_type : `${target_type} ${target_id}`
}

/** Summarizes a change in one line: the values of one field, or the names of several. */
function summaryOf({ before, after }: AuditEntry): string {
  const was = (before ?? {}) as Record<string, unknown>
  const is = (after ?? {}) as Record<string, unknown>
  const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    name => textOf(was[name]) !== textOf(is[name])
  )
  const [name] = changed
  if (name === undefined) return ''
  if (changed.length > 1) return changed.join(', ')
  if (!(name in was)) return `${name} ${textOf(is[name])}`
  if (!(name in is)) return `${name} ${textOf(was[name])}`
  return `${name} ${textOf(was[name])} → ${textOf(is[name])}`
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
