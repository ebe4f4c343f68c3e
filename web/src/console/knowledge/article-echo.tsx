import { useState } from 'react'
import { t } from '../../lib/strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { Link } from '../navigation.ts'
import styles from './knowledge.module.css'
import type { ArticleDetail } from './knowledge-base.ts'

type EchoProps = Pick<ArticleDetail, 'feedback' | 'tickets'>

/** What became of an article: how many of its readers it helped, with what the others miss, and the tickets that link it. */
export function ArticleEcho({ feedback, tickets }: EchoProps) {
  const [opened, setOpened] = useState<'feedback' | 'tickets'>()
  const count = feedback.helpful + feedback.not_helpful
  // A ticket may link an article and be solved by it.
  const linking = new Set(tickets.map(({ id }) => id)).size
  const close = () => setOpened(undefined)
  return (
    <>
      {count > 0 && (
        <button type="button" className="link" onClick={() => setOpened('feedback')}>
          {t('knowledge.helpfulOf', { helpful: feedback.helpful, count })}
        </button>
      )}
      {linking > 0 && (
        <button type="button" className="link" onClick={() => setOpened('tickets')}>
          {t('knowledge.inTickets', { count: linking })}
        </button>
      )}
      {opened === 'feedback' && (
        <Dialog title={t('knowledge.missed')} open onClose={close}>
          {feedback.comments.length === 0 && <p>{t('knowledge.missedNothing')}</p>}
          <ul className={styles.echo}>
            {feedback.comments.map(({ comment, locale, updated_at }) => (
              <li key={`${updated_at} ${comment}`}>
                <p lang={locale} dir="auto">
                  {comment}
                </p>
                <Time at={updated_at} />
              </li>
            ))}
          </ul>
        </Dialog>
      )}
      {opened === 'tickets' && (
        <Dialog title={t('knowledge.ticketsWithIt')} open onClose={close}>
          <ul className={styles.echo}>
            {tickets.map(({ id, ticket_number, subject, how }) => (
              <li key={`${id} ${how}`}>
                <Link to="/$view/$ticket" params={{ view: 'all', ticket: ticket_number }} className="link">
                  <span className="num">{ticket_number}</span> <bdi>{subject}</bdi>
                </Link>
                <span className="muted small">{t(`knowledge.how.${how}`)}</span>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  )
}
