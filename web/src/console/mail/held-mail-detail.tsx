import { Ban, Download, Inbox, Reply, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { downloadOriginalEmail } from '../../app/download-original-email.ts'
import { QueryState } from '../../app/query-state.tsx'
import { sizeText } from '../../lib/files.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { useParams } from '../../router/react.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { MessageText } from '../../ui/message-text.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { channels, type HeldMailDetails, reasonText, senderOf } from '../mail-log/held-mail.ts'
import { Link, useNavigate } from '../navigation.ts'
import { AuthenticationDetails } from '../ticket/authentication-details.tsx'
import { BlockDialog } from './block-dialog.tsx'
import { Fact } from './fact.tsx'
import styles from './held-mail.module.css'
import { discard } from './held-mail-actions.ts'
import { MailTabs } from './mail-tabs.tsx'
import { ReleaseDialog } from './release-dialog.tsx'
import { useMayDecide } from './use-may-decide.ts'

/** One held e-mail: its text, the reason, and the actions. */
export function HeldMailDetail() {
  const { mailId } = useParams()
  const mail = useApiQuery('/api/admin/mail/held/detail', { id: Number(mailId) }, { retry: false })
  const shown = mail.data?.mail
  const title = shown ? shown.subject || t('held.noSubject') : t('held.title')
  return (
    <Page
      title={title}
      h1={<bdi>{title}</bdi>}
      tabs={<MailTabs />}
      tabsLabel={t('held.title')}
      width="settings"
      {...(shown && { lede: <bdi>{senderOf(shown.from)}</bdi> })}
    >
      <QueryState query={mail} skeleton={<Skeleton lines={8} />} failedTitle={t('held.oneFailedTitle')}>
        {({ mail }) => <Mail mail={mail} />}
      </QueryState>
    </Page>
  )
}

function Mail({ mail }: { mail: HeldMailDetails }) {
  return (
    <div className={styles.mail}>
      <Standing mail={mail} />
      <Facts mail={mail} />
      <section className={styles.text} aria-label={t('held.text')}>
        {mail.text !== null && <MessageText text={mail.text || t('held.noText')} />}
        {mail.text !== null && mail.is_text_whole === 0 && <p className={styles.hint}>{t('held.textCut')}</p>}
        {mail.raw !== null && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must do so by key as well.
          <pre className={styles.raw} tabIndex={0}>
            {mail.raw}
          </pre>
        )}
      </section>
    </div>
  )
}

/** The reason and the actions, or the decision. */
function Standing({ mail }: { mail: HeldMailDetails }) {
  const mayDecide = useMayDecide()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'ticket' | 'into' | 'block'>()
  const { id, outcome, released_into, from, ticket, original_path } = mail
  const isHeld = outcome === 'held'

  return (
    <>
      {isHeld ? (
        <Banner tone="warn">{reasonText(mail)}</Banner>
      ) : (
        <Banner>
          {released_into ? (
            <>
              {t('held.releasedInto')}{' '}
              <Link to="/$view/$ticket" params={{ view: 'all', ticket: released_into.ticket_number }}>
                {released_into.ticket_number}
              </Link>
            </>
          ) : (
            t('held.isDiscarded')
          )}
        </Banner>
      )}
      <div className={styles.actions}>
        {isHeld && mayDecide && (
          <>
            <Button
              variant="primary"
              icon={ticket ? Reply : Inbox}
              onClick={() => setDialog(ticket ? 'into' : 'ticket')}
            >
              {ticket ? t('held.releaseIntoNamed', { number: ticket.ticket_number }) : t('held.releaseAsTicket')}
            </Button>
            <Button icon={ticket ? Inbox : Reply} onClick={() => setDialog(ticket ? 'ticket' : 'into')}>
              {ticket ? t('held.releaseAsTicket') : t('held.releaseInto')}
            </Button>
            <Button
              variant="danger"
              icon={Trash2}
              onClick={() => void discard([id]).then(done => (done ? navigate({ to: '/mail/held' }) : undefined))}
            >
              {t('held.discard')}
            </Button>
            {from && mail.blocked_as.length === 0 && (
              <Button icon={Ban} onClick={() => setDialog('block')}>
                {t('held.block')}
              </Button>
            )}
          </>
        )}
        {original_path && (
          <Button variant="quiet" icon={Download} onClick={() => void downloadOriginalEmail(id)}>
            {t('held.saveOriginal')}
          </Button>
        )}
      </div>
      {(dialog === 'ticket' || dialog === 'into') && (
        <ReleaseDialog mail={mail} how={dialog} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'block' && from && <BlockDialog email={from.email} onClose={() => setDialog(undefined)} />}
    </>
  )
}

function Facts({ mail }: { mail: HeldMailDetails }) {
  const { to, cc, date, received_at, channel, client, ticket, named_ticket, attachments, envelope_recipient } = mail
  const { authentication } = mail
  return (
    <dl className={styles.facts}>
      <Fact label={t('held.from')}>
        <bdi>{senderOf(mail.from)}</bdi>
        {client && (
          <>
            {' · '}
            <Link to="/clients/$id" params={{ id: String(client.id) }}>
              {t(client.is_active === 1 ? 'held.accountOf' : 'held.inactiveAccountOf', { name: nameOf(client) })}
            </Link>
          </>
        )}
        {mail.blocked_as.length > 0 && ` · ${t('held.blockedAs', { sender: mail.blocked_as.join(', ') })}`}
      </Fact>
      <Fact label={t('held.to')}>{to.length > 0 ? to.map(senderOf).join(', ') : envelope_recipient}</Fact>
      <Fact label={t('held.cc')}>{cc.map(senderOf).join(', ')}</Fact>
      <Fact label={t('held.written')}>{date && <Time at={date} style="full" />}</Fact>
      <Fact label={t('held.received')}>
        <Time at={received_at} style="full" /> · {t(channels[channel])}
        {mail.is_automatic === 1 && ` · ${t('held.automatic')}`}
      </Fact>
      <Fact label={t('authentication.title')}>{authentication && <AuthenticationDetails told={authentication} />}</Fact>
      <Fact label={t('held.wouldGoTo')}>
        {(ticket ?? named_ticket) && (
          <>
            <Link to="/$view/$ticket" params={{ view: 'all', ticket: (ticket ?? named_ticket)!.ticket_number }}>
              {(ticket ?? named_ticket)!.ticket_number}
            </Link>{' '}
            <bdi>{(ticket ?? named_ticket)!.subject}</bdi>
            {!ticket && ` · ${t('held.onlyNamed')}`}
          </>
        )}
      </Fact>
      <Fact label={t('held.files')}>
        {attachments
          .map(({ file_name, file_size }) => (file_size === null ? file_name : `${file_name} (${sizeText(file_size)})`))
          .join(', ')}
      </Fact>
    </dl>
  )
}
