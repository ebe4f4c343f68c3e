import { Plus, X } from 'lucide-react'
import { t } from '../../lib/strings.ts'
import { IconButton } from '../../ui/button.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { Link } from '../navigation.ts'
import { linkTo, unlinkFrom } from './change-links.ts'
import { LinkPicker } from './link-picker.tsx'
import styles from './linked-tickets.module.css'
import { useRights } from './properties.tsx'
import type { Detail } from './thread-types.ts'
import type { ThreadActions } from './use-thread-actions.ts'

/** The tickets that this one is linked with. + or L links another one. */
export function LinkedTickets({ detail, actions }: { detail: Detail; actions: ThreadActions }) {
  const { ticket, links, links_unseen } = detail
  const { mayEdit } = useRights(ticket)
  if (!mayEdit && links.length + links_unseen === 0) return null
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <h3>{t('links.heading')}</h3>
        {mayEdit && <OwnLinkPicker detail={detail} onMerge={actions.merge} />}
      </div>
      <ul>
        {links.map(link => (
          <li key={`${link.kind} ${link.direction} ${link.ticket.id}`} className={styles.row}>
            <StatusIcon status={link.ticket.status} />
            <Link
              to="/$view/$ticket"
              params={{ view: 'all', ticket: link.ticket.ticket_number }}
              className={styles.ticket}
            >
              <bdi className={styles.subject}>{link.ticket.subject}</bdi>
              <span className={styles.relation}>
                {t(`links.is.${link.kind}.${link.direction}`, { number: link.ticket.ticket_number })}
              </span>
            </Link>
            {mayEdit && link.kind !== 'split_from' && (
              <IconButton
                icon={X}
                label={t('links.remove', { number: link.ticket.ticket_number })}
                className={styles.remove!}
                onClick={() => void unlinkFrom(ticket, link)}
              />
            )}
          </li>
        ))}
      </ul>
      {links_unseen > 0 && <p className={styles.unseen}>{t('links.unseen', { count: links_unseen })}</p>}
    </section>
  )
}

/** Links the open ticket; without words it offers the client's other tickets. */
function OwnLinkPicker({ detail, onMerge }: { detail: Detail; onMerge(): void }) {
  const { ticket } = detail
  return (
    <LinkPicker
      client={ticket.client.id}
      without={[ticket.id]}
      align="end"
      trigger={trigger => <IconButton {...trigger} icon={Plus} label={t('links.add')} data-property="links" />}
      onChoose={(other, kind) => void linkTo(ticket, other, kind)}
      onMerge={onMerge}
    />
  )
}
