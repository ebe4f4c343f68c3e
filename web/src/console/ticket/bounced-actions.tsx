import { Send } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../app/api-client.ts'
import { failureText } from '../../app/failures.ts'
import { can, useMe } from '../../app/me.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import { OtherAddressDialog } from '../mail-log/other-address-dialog.tsx'
import { SendAgainDialog } from '../mail-log/send-again-dialog.tsx'
import { useNavigate } from '../navigation.ts'
import { pageAccess } from '../page-access.ts'
import { isSame } from './chosen-recipients.ts'
import styles from './message-email.module.css'
import type { Message } from './thread-types.ts'
import { cachedDetail } from './ticket-cache.ts'

type Delivery = NonNullable<Message['deliveries']>[number]

interface BouncedActionsProps {
  /** Of the ticket whose detail is shown. */
  number: string
  /** Those that came back, and nobody knows of yet. */
  bounced: readonly Delivery[]
}

/** What can be done about the e-mails of an answer that came back: to send them again, elsewhere, or to say that it is known. */
export function BouncedActions({ number, bounced }: BouncedActionsProps) {
  const me = useMe()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<{ id: number; email: string; isOther: boolean }>()
  const maySend = pageAccess.mail(me) && can('tickets.edit_status')
  const detail = cachedDetail(number)

  function sent(sentId: number) {
    const show = () => void navigate({ to: '/mail/log/$mailId', params: { mailId: String(sentId) } })
    toast({ text: t('mail.sentAgain'), action: { label: t('mail.show'), onClick: show } })
    void reloadQueries('/api/admin/tickets/detail', '/api/admin/tickets/list')
  }

  const client =
    asked && detail && isSame(detail.client_email.email, asked.email)
      ? { id: detail.ticket.client.id, name: nameOf(detail.ticket.client) }
      : undefined
  return (
    <div className={styles.bouncedActions}>
      {maySend &&
        bounced.map(({ email, log_id: id }) => {
          if (id === null) return null
          const at = bounced.length > 1 ? { address: email } : undefined
          return (
            <span key={email}>
              <Button size="sm" icon={Send} onClick={() => setAsked({ id, email, isOther: false })}>
                {at ? t('mail.sendAgainTo', at) : t('mail.sendAgain')}
              </Button>
              <Button size="sm" variant="quiet" onClick={() => setAsked({ id, email, isOther: true })}>
                {at ? t('mail.notTo', at) : t('mail.anotherAddress')}
              </Button>
            </span>
          )
        })}
      {can('tickets.reply') && (
        <Button size="sm" variant="quiet" onClick={() => void dismiss(number)}>
          {t('thread.dismissBounced')}
        </Button>
      )}
      {asked && !asked.isOther && (
        <SendAgainDialog id={asked.id} address={asked.email} onSent={sent} onClose={() => setAsked(undefined)} />
      )}
      {asked?.isOther && (
        <OtherAddressDialog id={asked.id} client={client} onSent={sent} onClose={() => setAsked(undefined)} />
      )}
    </div>
  )
}

/** The queue tells of it no more, the thread in quiet words. */
async function dismiss(number: string): Promise<void> {
  try {
    await post('/api/admin/tickets/undelivered/dismiss', { id: number })
    announce(t('thread.dismissed'))
    void reloadQueries('/api/admin/tickets/detail', '/api/admin/tickets/list')
  } catch (error) {
    toast({ text: failureText(error), tone: 'bad' })
  }
}
