import { ArrowDownLeft, ArrowUpRight } from 'lucide-react'
import { useState } from 'react'
import { useMe } from '../../app/me.ts'
import { MorePages } from '../../app/more-pages.tsx'
import { QueryState } from '../../app/query-state.tsx'
import { useApiPages } from '../../app/use-api-pages.ts'
import { t } from '../../lib/strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { Link } from '../navigation.ts'
import { pageAccess } from '../page-access.ts'
import { addressText, type LoggedMail, type MailStep, subjectOf } from './logged-mail.ts'
import { MailSteps } from './mail-steps.tsx'
import { Outcome } from './outcome.tsx'
import styles from './ticket-emails.module.css'

interface TicketEmailsProps {
  ticket: { id: number; ticket_number: string }
  onClose: () => void
}

/** The e-mails of a ticket, in and out, each with its steps: also for those who do not see the log. */
export function TicketEmails({ ticket: { id, ticket_number }, onClose }: TicketEmailsProps) {
  const me = useMe()
  const mails = useApiPages('/api/admin/tickets/emails', { id, limit: 50 })
  const rows = mails.data?.pages.flatMap(({ mails }) => mails)
  return (
    <Dialog
      title={t('mail.ofTicket')}
      open
      onClose={onClose}
      size={620}
      {...(pageAccess.mail(me) && {
        footer: (
          <Link to="/mail/log" search={{ q: ticket_number }} className="btn" onClick={onClose}>
            {t('mail.inLog')}
          </Link>
        )
      })}
    >
      <QueryState query={{ ...mails, data: rows }} failedTitle={t('mail.failedTitle')}>
        {rows =>
          rows.length === 0 ? (
            <p className={styles.none}>{t('mail.ofTicketNone')}</p>
          ) : (
            <ul className={styles.mails}>
              {rows.map(mail => (
                <Line key={mail.id} mail={mail} seesLog={pageAccess.mail(me)} />
              ))}
            </ul>
          )
        }
      </QueryState>
      <MorePages pages={mails} label={t('mail.more')} />
    </Dialog>
  )
}

function Line({ mail, seesLog }: { mail: LoggedMail & { steps: MailStep[] }; seesLog: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { direction, at, from, to } = mail
  const isIn = direction === 'in'
  const Way = isIn ? ArrowDownLeft : ArrowUpRight
  return (
    <li>
      <button type="button" className={styles.line} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span className={styles.way}>
          <Way size={14} aria-hidden />
          <span className="visually-hidden">{t(isIn ? 'mail.in' : 'mail.out')}</span>
        </span>
        <bdi className={styles.who}>{isIn ? addressText(from) : to.map(addressText).join(', ')}</bdi>
        <Time at={at} style="short" />
        <bdi className={styles.subject}>{subjectOf(mail)}</bdi>
        <span className={styles.became}>
          <Outcome mail={mail} />
        </span>
      </button>
      {isOpen && (
        <div className={styles.steps}>
          <MailSteps mail={mail} seesLog={seesLog} />
        </div>
      )}
    </li>
  )
}
