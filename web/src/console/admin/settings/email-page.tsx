import { Plus } from 'lucide-react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { t } from '../../../lib/strings.ts'
import { Banner } from '../../../ui/banner.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { Link, useNavigate } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import { DeskSettings } from '../desk-settings.tsx'
import { lastErrorText } from '../mailbox-status-text.ts'
import { AddressTable } from '../mailboxes/address-table.tsx'
import { AnswersFrom } from '../mailboxes/answers-from.tsx'
import { SettingPlace } from '../setting-row.tsx'
import styles from '../settings.module.css'
import { IncomingMail } from './incoming-mail.tsx'
import { Mailboxes } from './mailboxes.tsx'

/** How e-mails come in and go out: the connected addresses, what the operator has set, and what holds for all. */
export function EmailPage() {
  const listed = useApiQuery('/api/admin/mail/mailboxes/list', {})
  const connected = (listed.data?.mailboxes ?? []).flatMap(each => (each.source === 'connected' ? each : []))
  const broken = connected.filter(({ is_active, state }) => is_active === 1 && state === 'failing')
  const navigate = useNavigate()
  return (
    <AdminPage
      title={t('admin.emailChannel')}
      lede={t('admin.emailLede')}
      actions={
        <Link to="/settings/email/new" className={buttonClass('primary')}>
          <Plus size={16} aria-hidden /> {t('mailboxes.connectTitle')}
        </Link>
      }
    >
      <DeskSettings>
        {({ settings, version }) => (
          <div className={styles.cards}>
            {broken.map(mailbox => (
              <Banner
                key={mailbox.id}
                tone="bad"
                action={{
                  label: t('admin.openMailbox'),
                  onClick: () =>
                    void navigate({ to: '/settings/email/$mailboxId', params: { mailboxId: String(mailbox.id) } })
                }}
              >
                {t('admin.mailboxFails', { user: mailbox.address })}. {lastErrorText(mailbox)}
              </Banner>
            ))}
            {connected.length > 0 && <AddressTable mailboxes={connected} />}
            {connected.length > 0 && <AnswersFrom mailboxes={connected} />}
            <SettingPlace setting="mailboxes">
              <Mailboxes hasConnected={connected.length > 0} />
            </SettingPlace>
            <IncomingMail settings={settings} version={version} />
          </div>
        )}
      </DeskSettings>
    </AdminPage>
  )
}
