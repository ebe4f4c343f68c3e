import { Check, Clock, Download, KeyRound, Lock, Mail, MapPin, Phone, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { failureText } from '../../app/failures.ts'
import { can, useMe } from '../../app/me.ts'
import { useApiMutation } from '../../app/use-api-mutation.ts'
import { ownAddress } from '../../lib/own-address.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { dateOf, instantOf, timeInText } from '../../lib/times.ts'
import { Badge } from '../../ui/badge.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import type { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/toast.tsx'
import styles from './client.module.css'
import type { ClientDetail, ListedClient } from './client-detail.ts'
import { ClientOrganisation } from './client-organisation.tsx'
import { DisableTwoFactorDialog } from './disable-two-factor-dialog.tsx'
import { RemoveClientDialog } from './remove-client-dialog.tsx'

/** Contact data and account of a client, and the actions of data protection law. */
export function ClientProfile({ client, listed }: { client: ClientDetail; listed: ListedClient | undefined }) {
  const { isAdmin } = useMe()
  const [asked, setAsked] = useState<'two-factor' | 'remove'>()
  const close = () => setAsked(undefined)
  const hasPrivacy = can('clients.edit') || can('clients.delete')
  return (
    <aside className={styles.facts}>
      <Contact client={client} phone={listed?.phone_number} />
      <ClientOrganisation client={client} />
      <section className={styles.factCard}>
        <h2>{t('clients.account')}</h2>
        {listed && (
          <Fact icon={Clock}>{t('clients.sinceDate', { date: dateOf(instantOf(listed.created_at_iso)) })}</Fact>
        )}
        {can('clients.edit') && <SendReset client={client} />}
        {isAdmin && (
          <Button block icon={Lock} onClick={() => setAsked('two-factor')}>
            {t('clients.turnTwoFactorOff')}
          </Button>
        )}
      </section>
      {hasPrivacy && (
        <section className={styles.factCard}>
          <h2>{t('clients.privacy')}</h2>
          <p className="muted">{t('clients.exportText')}</p>
          {can('clients.edit') && <ExportClient client={client} />}
          {can('clients.delete') && (
            <Button block variant="danger" icon={Trash2} onClick={() => setAsked('remove')}>
              {t('clients.deleteOrAnonymise')}
            </Button>
          )}
        </section>
      )}
      {asked === 'two-factor' && <DisableTwoFactorDialog id={client.id} name={nameOf(client)} onClose={close} />}
      {asked === 'remove' && <RemoveClientDialog client={client} onClose={close} />}
    </aside>
  )
}

function Contact({ client, phone }: { client: ClientDetail; phone: string | undefined }) {
  const address = [client.street_address, [client.postcode, client.city].filter(Boolean).join(' '), client.state]
  const lines = address.filter(line => line?.trim())
  return (
    <section className={styles.factCard}>
      <h2>{t('clients.contact')}</h2>
      <Fact icon={Mail}>
        <a className="link" href={`mailto:${client.email}`}>
          <bdi>{client.email}</bdi>
        </a>
        <Verified is={client.is_email_verified} />
      </Fact>
      <Fact icon={Phone}>
        {phone ? (
          <>
            <a href={`tel:${phone}`}>{phone}</a>
            <Verified is={client.is_phone_verified} />
          </>
        ) : (
          <span className="muted">{t('clients.noPhone')}</span>
        )}
      </Fact>
      {lines.length > 0 && (
        <Fact icon={MapPin}>
          <bdi className={styles.address}>{lines.join('\n')}</bdi>
        </Fact>
      )}
    </section>
  )
}

function Fact({ icon: Shown, children }: { icon: Icon; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <Shown size={14} aria-hidden />
      <span>{children}</span>
    </div>
  )
}

function Verified({ is }: { is: 0 | 1 }) {
  return is ? (
    <Badge tone="green" icon={Check}>
      {t('clients.verified')}
    </Badge>
  ) : (
    <Badge>{t('clients.notVerified')}</Badge>
  )
}

function SendReset({ client }: { client: ClientDetail }) {
  const write = useApiMutation('/api/admin/clients/send_reset', {
    onSuccess: data => toast({ text: t('clients.resetSent', { email: data.email }) })
  })
  return (
    <>
      {write.error && <Banner tone="bad">{failureText(write.error)}</Banner>}
      <Button block icon={KeyRound} busy={write.isPending} onClick={() => write.mutate({ id: client.id })}>
        {t('clients.sendReset')}
      </Button>
    </>
  )
}

/** The archive is made while it is downloaded; the link to it works for a short time. */
function ExportClient({ client }: { client: ClientDetail }) {
  const [expires, setExpires] = useState<Date>()
  const write = useApiMutation('/api/admin/clients/export', {
    onSuccess: data => setExpires(new Date(Date.now() + data.expires_in * 1000))
  })
  if (write.data && expires)
    return (
      <>
        <a className={buttonClass('plain', 'md', 'block')} href={ownAddress(write.data.url)} download>
          <Download size={16} aria-hidden />
          {t('clients.exportReady')}
        </a>
        <p className="muted">{t('clients.exportAge', { time: timeInText(expires) })}</p>
      </>
    )
  return (
    <>
      {write.error && <Banner tone="bad">{failureText(write.error)}</Banner>}
      <Button block icon={Download} busy={write.isPending} onClick={() => write.mutate({ id: client.id })}>
        {t('clients.export')}
      </Button>
    </>
  )
}
