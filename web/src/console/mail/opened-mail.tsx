import { Check, CheckCheck, CodeXml, Download, Minus, RotateCw, Send, X } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { QueryState } from '../../app/query-state.tsx'
import { ownAddress } from '../../lib/own-address.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { dayInText, instantOf } from '../../lib/times.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { addressText, type LoggedMail, type LoggedMailDetails, mailLogFailureText } from '../mail-log/logged-mail.ts'
import { MailSteps } from '../mail-log/mail-steps.tsx'
import { OtherAddressDialog } from '../mail-log/other-address-dialog.tsx'
import { reloadMailLog } from '../mail-log/reload-mail-log.ts'
import { SendAgainDialog } from '../mail-log/send-again-dialog.tsx'
import { Link, useNavigate } from '../navigation.ts'
import { BlockDialog } from './block-dialog.tsx'
import { Fact } from './fact.tsx'
import styles from './opened-mail.module.css'
import { ProcessDialog } from './process-dialog.tsx'
import { RawDialog } from './raw-dialog.tsx'
import { useMayDecide } from './use-may-decide.ts'

/** What became of an e-mail step by step, whether it is the sender or who was to get it, and what can be done. */
export function OpenedMail({ id }: { id: number }) {
  const found = useApiQuery('/api/admin/mail/log/detail', { id }, { retry: false })
  return (
    <QueryState query={found} skeleton={<Skeleton lines={4} />} failedTitle={t('mail.oneFailedTitle')}>
      {({ mail }) => (
        <div className={styles.opened}>
          <section aria-labelledby={`became-${id}`}>
            <h2 id={`became-${id}`}>{t('mail.whatBecame')}</h2>
            <MailSteps mail={mail} seesLog />
            <Actions mail={mail} />
          </section>
          <section aria-label={t('mail.email')}>
            {mail.direction === 'in' ? <Sender mail={mail} /> : <Recipients mail={mail} />}
            <Envelope mail={mail} />
          </section>
        </div>
      )}
    </QueryState>
  )
}

function Actions({ mail }: { mail: LoggedMailDetails }) {
  const mayDecide = useMayDecide()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'process' | 'send' | 'other' | 'block' | 'raw'>()
  const close = () => setDialog(undefined)
  const { id, held_mail_id: held, has_raw, from, to, client } = mail
  const sent = (sentId: number) => {
    const show = () => void navigate({ to: '/mail/log/$mailId', params: { mailId: String(sentId) } })
    toast({ text: t('mail.sentAgain'), action: { label: t('mail.show'), onClick: show } })
    void reloadMailLog()
  }
  const mayBlock = mayDecide && mail.direction === 'in' && mail.is_erased === 0 && from !== null
  return (
    <div className={styles.actions}>
      {held !== null && (
        <Link to="/mail/held/$mailId" params={{ mailId: String(held) }} className={buttonClass('primary', 'sm')}>
          {t('mail.openInHeld')}
        </Link>
      )}
      {mayDecide && mail.can_process === 1 && (
        <Button size="sm" icon={RotateCw} onClick={() => setDialog('process')}>
          {t('mail.processAgain')}
        </Button>
      )}
      {mayDecide && mail.can_send === 1 && (
        <Button
          size="sm"
          icon={Send}
          {...(mail.outcome === 'bounced' && { variant: 'primary' as const })}
          onClick={() => setDialog('send')}
        >
          {t('mail.sendAgain')}
        </Button>
      )}
      {mayDecide && mail.can_send === 1 && (
        <Button size="sm" onClick={() => setDialog('other')}>
          {t('mail.toOther')}
        </Button>
      )}
      {mayBlock && (
        <Button size="sm" onClick={() => setDialog('block')}>
          {t('mail.blockSender')}
        </Button>
      )}
      {has_raw === 1 && (
        <>
          <Button size="sm" variant="quiet" icon={CodeXml} onClick={() => setDialog('raw')}>
            {t('mail.raw')}
          </Button>
          <Button size="sm" variant="quiet" icon={Download} onClick={() => void save(id)}>
            {t('mail.save')}
          </Button>
        </>
      )}
      <Others mail={mail} />
      {dialog === 'process' && <ProcessDialog mail={mail} onClose={close} />}
      {dialog === 'send' && <SendAgainDialog id={id} address={to.join(', ')} onSent={sent} onClose={close} />}
      {dialog === 'other' && (
        <OtherAddressDialog
          id={id}
          client={client ? { id: client.id, name: nameOf(client) } : undefined}
          onSent={sent}
          onClose={close}
        />
      )}
      {dialog === 'block' && <BlockDialog email={from!} onClose={close} />}
      {dialog === 'raw' && <RawDialog id={id} onSave={() => void save(id)} onClose={close} />}
    </div>
  )
}

/** Saves the raw message, by a link that the desk signs for this session. */
async function save(id: number): Promise<void> {
  try {
    const { url } = await post('/api/admin/mail/log/raw-link', { id })
    location.assign(ownAddress(url))
  } catch (error) {
    toast({ text: mailLogFailureText(error), tone: 'bad' })
  }
}

/** Links to its bounces, and to the e-mail of which it is one. */
function Others({ mail: { about, followed_by } }: { mail: LoggedMailDetails }) {
  const link = ({ id }: LoggedMail, words: string) => (
    <Link
      key={id}
      to="/mail/log/$mailId"
      params={{ mailId: String(id) }}
      search={true}
      className={buttonClass('quiet', 'sm')}
    >
      {words}
    </Link>
  )
  return (
    <>
      {about && link(about, t('mail.theEmail'))}
      {followed_by.map(other => link(other, t(other.direction === 'in' ? 'mail.theBounce' : 'mail.theOther')))}
    </>
  )
}

/** What was checked of the sender: a tick, a cross or a line, and what the check said. */
function Sender({ mail: { authentication } }: { mail: LoggedMailDetails }) {
  const checks = authentication && {
    SPF: authentication.spf,
    DKIM: authentication.dkim,
    DMARC: authentication.dmarc
  }
  return (
    <>
      <h2>{t('mail.isSender')}</h2>
      {checks ? (
        <dl className={styles.checks}>
          {Object.entries(checks).map(([name, check]) => (
            <div key={name}>
              <dt>
                <Verdict result={check?.result} />
                {name}
              </dt>
              <dd>
                <bdi>
                  {check
                    ? [check.result, check.domain, check.reason].filter(Boolean).join(' · ')
                    : t('mail.check.none')}
                </bdi>
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className={styles.none}>{t('mail.notChecked')}</p>
      )}
    </>
  )
}

function Verdict({ result }: { result: string | undefined }) {
  if (result === 'pass') return <Check size={14} aria-hidden className={styles.good!} />
  const isBad = result === 'fail' || result === 'softfail' || result === 'permerror'
  return isBad ? (
    <X size={14} aria-hidden className={styles.bad!} />
  ) : (
    <Minus size={14} aria-hidden className={styles.open!} />
  )
}

function Recipients({ mail: { to, outcome } }: { mail: LoggedMailDetails }) {
  const isBad = outcome === 'bounced' || outcome === 'refused'
  const Shown = isBad ? X : outcome === 'sent' ? Check : outcome === 'delivered' ? CheckCheck : Minus
  return (
    <>
      <h2>{t('mail.whoGets')}</h2>
      <ul className={styles.recipients}>
        {to.map(address => (
          <li key={address}>
            <Shown size={14} aria-hidden className={isBad ? styles.bad! : styles.good!} />
            <bdi>{addressText(address)}</bdi>
            <span>{t(`mail.outcome.${outcome}`)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function Envelope({ mail }: { mail: LoggedMailDetails }) {
  const { envelope_sender, envelope_recipient, message_id, from, to, direction } = mail
  const isIn = direction === 'in'
  const sender = envelope_sender ?? (isIn ? null : from)
  const recipient = envelope_recipient ?? (isIn ? null : to.join(', '))
  return (
    <>
      <h2>{t('mail.email')}</h2>
      <dl className={styles.facts}>
        <Fact label={t('mail.envelope')}>
          {(sender || recipient) && (
            <bdi>
              {sender || '<>'} → {recipient && addressText(recipient)}
            </bdi>
          )}
        </Fact>
        <Fact label={t('mail.messageId')}>{message_id && <bdi className="mono">{message_id}</bdi>}</Fact>
        <Fact label={t('mail.keptUntil')}>{isIn && keptText(mail)}</Fact>
      </dl>
      {mail.is_secret === 1 && <p className={styles.none}>{t('mail.isSecret')}</p>}
    </>
  )
}

function keptText({ raw_until, has_raw, is_secret }: LoggedMailDetails): string {
  if (raw_until !== null) return t('mail.until', { date: dayInText(instantOf(raw_until)) })
  return t(has_raw === 1 || is_secret === 1 ? 'mail.keptWhileHeld' : 'mail.notKept')
}
