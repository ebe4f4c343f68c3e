import { ArrowDownLeft, ArrowUpRight, ChevronDown, ChevronUp } from 'lucide-react'
import { Fragment, useEffect } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { sizeText } from '../../lib/files.ts'
import { t } from '../../lib/strings.ts'
import '../../ui/table.css'
import { Time } from '../../ui/time.tsx'
import { addressText, type LoggedMail, ownSide, subjectOf } from '../mail-log/logged-mail.ts'
import { Outcome } from '../mail-log/outcome.tsx'
import { Link } from '../navigation.ts'
import styles from './log-table.module.css'
import { OpenedMail } from './opened-mail.tsx'

interface LogTableProps {
  rows: LoggedMail[]
  /** One row at a time is open. */
  opened: number | undefined
  onOpen: (id: number | undefined) => void
}

/** The rows of the log, of three lines on a phone. The opened one has its steps below it. */
export function LogTable({ rows, opened, onOpen }: LogTableProps) {
  // A link leads to a row, which may lie below what is seen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: afterwards nothing moves under the pointer.
  useEffect(() => {
    document.querySelector(`[data-mail="${opened}"]`)?.scrollIntoView({ block: 'center' })
  }, [])
  const isAmong = opened === undefined || rows.some(({ id }) => id === opened)
  return (
    <div className="card">
      <table className={`tbl dense ${styles.log}`}>
        <caption className="visually-hidden">{t('mail.title')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('mail.when')}</th>
            <th scope="col">
              <span className="visually-hidden">{t('mail.direction')}</span>
            </th>
            <th scope="col">{t('mail.from')}</th>
            <th scope="col">{t('mail.to')}</th>
            <th scope="col">{t('mail.subject')}</th>
            <th scope="col" className="r">
              {t('mail.size')}
            </th>
            <th scope="col">{t('mail.whatBecame')}</th>
            <th scope="col">{t('mail.ticket')}</th>
            <th scope="col">
              <span className="visually-hidden">{t('mail.steps')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {/* A link leads to it, and it is on no page that is loaded. */}
          {!isAmong && <Linked id={opened} onOpen={onOpen} />}
          {rows.map(mail => (
            <Row key={mail.id} mail={mail} isOpen={mail.id === opened} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Linked({ id, onOpen }: { id: number; onOpen: LogTableProps['onOpen'] }) {
  const { data } = useApiQuery('/api/admin/mail/log/detail', { id }, { retry: false })
  if (data) return <Row mail={data.mail} isOpen onOpen={onOpen} />
  return (
    <tr className={styles.more}>
      <td colSpan={9}>
        <OpenedMail id={id} />
      </td>
    </tr>
  )
}

interface RowProps {
  mail: LoggedMail
  isOpen: boolean
  onOpen: LogTableProps['onOpen']
}

function Row({ mail, isOpen, onOpen }: RowProps) {
  const { id, direction, at, from, to, size, ticket_number: number } = mail
  const isIn = direction === 'in'
  const subject = subjectOf(mail)
  const Way = isIn ? ArrowDownLeft : ArrowUpRight
  const Chevron = isOpen ? ChevronUp : ChevronDown
  const name = t('mail.open', { subject })
  const recipients = to.map(address => (isIn ? ownSide(address) : addressText(address))).join(', ')
  const toggle = () => onOpen(isOpen ? undefined : id)
  return (
    <Fragment>
      <tr
        className={styles.row}
        data-open={isOpen || undefined}
        onClick={event => (event.target as Element).closest('a, button') || hasSelection() || toggle()}
      >
        <td className={styles.when}>
          <Time at={at} style="short" />
        </td>
        <td className={styles.way} title={t(isIn ? 'mail.in' : 'mail.out')}>
          <Way size={14} aria-hidden />
          <span className="visually-hidden">{t(isIn ? 'mail.in' : 'mail.out')}</span>
        </td>
        <td className={styles.from} title={from ?? undefined}>
          <bdi>{isIn || from === null ? addressText(from) : ownSide(from)}</bdi>
        </td>
        <td className={styles.to} title={to.join(', ')}>
          <bdi>{recipients}</bdi>
        </td>
        <td className={styles.subject} title={subject}>
          <bdi>{subject}</bdi>
        </td>
        <td className={`r ${styles.size}`}>{size !== null && sizeText(size)}</td>
        <td className={styles.became}>
          <Outcome mail={mail} />
        </td>
        <td className={styles.ticket}>
          {number && (
            <Link to="/$view/$ticket" params={{ view: 'all', ticket: number }} className="link">
              {number}
            </Link>
          )}
        </td>
        <td className={styles.chevron}>
          <button
            type="button"
            className="icon-btn"
            data-mail={id}
            aria-label={name}
            aria-expanded={isOpen}
            aria-controls={isOpen ? `mail-${id}` : undefined}
            onClick={toggle}
          >
            <Chevron size={14} aria-hidden />
          </button>
        </td>
      </tr>
      {isOpen && (
        <tr className={styles.more} id={`mail-${id}`}>
          <td colSpan={9}>
            <OpenedMail id={id} />
          </td>
        </tr>
      )}
    </Fragment>
  )
}

/** Whoever marks an address to copy it does not open the row. */
function hasSelection(): boolean {
  return getSelection()?.type === 'Range'
}
