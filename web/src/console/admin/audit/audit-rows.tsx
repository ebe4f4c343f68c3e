import { Fragment, useMemo, useState } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { nameOf } from '../../../lib/person-name.ts'
import { t } from '../../../lib/strings.ts'
import { fullTime, instantOf } from '../../../lib/times.ts'
import styles from './audit.module.css'
import type { AuditEntry } from './audit-entry.ts'
import { changeText, type FactNames } from './audit-facts.ts'
import type { AuditFilter } from './audit-search.ts'
import { AuditSentence } from './audit-sentence.tsx'
import { utcTime } from './utc-time.ts'
import '../../../ui/table.css'

interface AuditRowsProps {
  entries: AuditEntry[]
  /** This row is expanded from the beginning, because a link leads to it. */
  opened: number | undefined
  filter: AuditFilter
  onFilter: (filter: AuditFilter) => void
}

/** The rows of the log, in sentences; each expands to what was recorded. */
export function AuditRows({ entries, opened, filter, onFilter }: AuditRowsProps) {
  const names = useFactNames()
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
              <th scope="col">{t('admin.whatHappened')}</th>
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
                <Row entry={entry} names={names} isOpen={open.has(entry.id)} onToggle={() => toggle(entry.id)} />
                {open.has(entry.id) && <Change entry={entry} filter={filter} onFilter={onFilter} />}
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

interface RowProps {
  entry: AuditEntry
  names: FactNames
  isOpen: boolean
  onToggle: () => void
}

function Row({ entry, names, isOpen, onToggle }: RowProps) {
  const { id, before, after, ip_address, created_at } = entry
  const instant = instantOf(created_at)
  const change = changeText(before, after, names)
  return (
    <tr className={styles.row}>
      <td className="num t2">
        <button type="button" className={styles.opener} aria-expanded={isOpen} onClick={onToggle}>
          {id}
        </button>
      </td>
      <td className={styles.sentence}>
        <AuditSentence entry={entry} />
      </td>
      <td className={`t2 ${styles.summary}`} title={change}>
        {change}
      </td>
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
  const { action, before, after, request_id, target_type, target_id } = entry
  const { row: _, ...others } = filter
  return (
    <tr className={styles.change}>
      <td colSpan={5}>
        <p className={styles.raw}>
          <code>{action}</code> <code>{targetOf(entry)}</code>
        </p>
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

/** Staff and departments by their ids, those that are gone by their ids alone. */
function useFactNames(): FactNames {
  const staff = useApiQuery('/api/admin/staff/list', {})
  const departments = useApiQuery('/api/admin/departments/list', { limit: 1000 })
  return useMemo(() => {
    const people = new Map(staff.data?.staff.map(member => [member.id, nameOf(member)]))
    const places = new Map(departments.data?.departments.map(({ deptid, name }) => [deptid, name]))
    return { staff: id => people.get(id), department: id => places.get(id) }
  }, [staff.data, departments.data])
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
