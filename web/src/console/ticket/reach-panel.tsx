import { Check, Mail, MailX, X } from 'lucide-react'
import { useId, useState } from 'react'
import { post } from '../../app/api-client.ts'
import { deliveryReasonText } from '../../app/delivery-reasons.ts'
import { failureText } from '../../app/failures.ts'
import { can } from '../../app/me.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import type { Icon } from '../../ui/icon.tsx'
import { AsyncConfirmDialog } from '../async-confirm-dialog.tsx'
import { useNavigate } from '../navigation.ts'
import { type ChosenRecipients, isSame, shownRecipients } from './chosen-recipients.ts'
import styles from './reach-panel.module.css'
import type { Detail } from './thread-types.ts'

interface ReachPanelProps {
  detail: Detail
  chosen: ChosenRecipients | undefined
  /** What the client gets by e-mail, where that is not simply the answer. */
  clientText: string
  onClose(): void
}

/** Over the composer: what of an answer reaches whom, a line for each person and way. */
export function ReachPanel({ detail, chosen, clientText, onClose }: ReachPanelProps) {
  const id = useId()
  const { ticket, client_access, client_email, reach, followers } = detail
  const shown = shownRecipients(detail, chosen)
  const undeliverable = followers.filter(follower => follower.undeliverable !== null)
  const client = nameOf(ticket.client)
  const isMailed = reach.will_reach === 1 && !chosen?.withoutClient
  const hasPortal = client_email.state !== 'inactive' && client_access.is_withheld === 0
  return (
    <section
      aria-labelledby={id}
      className={styles.panel}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <div className={styles.head}>
        <h2 id={id}>{t('thread.whatReaches')}</h2>
        <IconButton icon={X} label={t('recipients.closeReach')} onClick={onClose} />
      </div>
      <ul>
        <Line
          icon={hasPortal ? Check : X}
          isReached={hasPortal}
          who={t('recipients.inPortal', { name: client })}
          what={t(hasPortal ? 'recipients.answerAtOnce' : 'recipients.nothing')}
        />
        <Line
          icon={isMailed ? Mail : MailX}
          isReached={isMailed}
          who={t('recipients.byEmail', { name: client })}
          what={chosen?.withoutClient ? t('recipients.nothing') : clientText || t('recipients.thisAnswer')}
        />
        {[...shown.to, ...shown.cc, ...shown.bcc].map(email => (
          <Line
            key={email}
            icon={Mail}
            isReached
            who={t('recipients.byEmail', { name: shown.nameOf(email) })}
            what={t('recipients.thisAnswer')}
          />
        ))}
        {undeliverable
          .filter(({ email }) => !shown.cc.some(other => isSame(other, email)))
          .map(({ id, name, email, undeliverable, undeliverable_code }) => (
            <Line
              key={id}
              icon={MailX}
              isReached={false}
              who={t('recipients.byEmail', { name: name || email })}
              what={t('thread.notDelivered', { reason: deliveryReasonText(undeliverable_code, undeliverable) })}
            />
          ))}
      </ul>
      {can('clients.edit') && <TurnOn detail={detail} />}
    </section>
  )
}

/** The client has ended e-mails, or their address was stopped: they come again if the client asked for that. */
function TurnOn({ detail: { ticket, client_email } }: Pick<ReachPanelProps, 'detail'>) {
  const navigate = useNavigate()
  const [isAsked, setAsked] = useState(false)
  const { state, email } = client_email
  const name = ticket.client.first_name
  const isBounced = state === 'bounced'
  if (!isBounced && state !== 'turned_off' && state !== 'unsubscribed') return null

  async function turnOn() {
    await post('/api/admin/tickets/emails/turn-on', { id: ticket.id })
    setAsked(false)
    announce(t('recipients.turnedOn', { name }))
    await reloadQueries('/api/admin/tickets/detail')
  }

  return (
    <div className={styles.foot}>
      <Button size="sm" onClick={() => setAsked(true)}>
        {t(isBounced ? 'recipients.tryAgain' : 'recipients.turnOn')}
      </Button>
      {isBounced && (
        <Button
          size="sm"
          variant="quiet"
          onClick={() => void navigate({ to: '/clients/$id', params: { id: String(ticket.client.id) } })}
        >
          {t('recipients.anotherAddress')}
        </Button>
      )}
      {!isBounced && <span>{t('recipients.ifAsked', { name })}</span>}
      {isAsked && (
        <AsyncConfirmDialog
          title={t(isBounced ? 'recipients.tryAgainTitle' : 'recipients.turnOnTitle', { name, email })}
          text={t(isBounced ? 'recipients.tryAgainText' : 'recipients.turnOnText', { name, email })}
          confirmLabel={t(isBounced ? 'recipients.tryAgain' : 'recipients.doTurnOn')}
          keepLabel={t('recipients.leaveOff')}
          isHarmless
          failureText={failureText}
          onConfirm={turnOn}
          onClose={() => setAsked(false)}
        />
      )}
    </div>
  )
}

function Line({ icon: Shown, isReached, who, what }: { icon: Icon; isReached: boolean; who: string; what: string }) {
  return (
    <li>
      <span className={isReached ? styles.reached : styles.missed}>
        <Shown size={16} aria-hidden />
      </span>
      <span>
        <b>{who}</b> {what}
      </span>
    </li>
  )
}
