import type { DataOf } from '@deskline/client'
import { apiClient } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { QueryState } from '../../../ui/query-state.tsx'
import { Branding } from './branding.tsx'
import { EmailTextSettings } from './email-text-settings.tsx'
import { IncomingMail } from './incoming-mail.tsx'
import { Mailboxes } from './mailboxes.tsx'
import { SwitchRow } from './setting-row.tsx'
import styles from './settings.module.css'

export type Settings = DataOf<'/api/admin/settings/detail'>['settings']

/** What admins set for everybody. */
export function DeskSettings() {
  const settings = useApiQuery('/api/admin/settings/detail', {})
  return (
    <QueryState query={settings}>
      {({ settings, version }) => (
        <>
          <div className={styles.card}>
            <SwitchRow
              title={t('admin.staffTwoFactor')}
              hint={t('admin.staffTwoFactorHint')}
              isOn={settings.require_staff_2fa === 1}
              onChange={isOn => saveSettings({ require_staff_2fa: isOn ? 1 : 0 })}
            />
            <SwitchRow
              title={t('admin.signUp')}
              hint={t('admin.signUpHint')}
              isOn={settings.sign_up === 1}
              onChange={isOn => saveSettings({ sign_up: isOn ? 1 : 0 })}
            />
            <SwitchRow
              title={t('admin.withoutAccount')}
              hint={t('admin.withoutAccountHint')}
              isOn={settings.tickets_without_account === 1}
              onChange={isOn => saveSettings({ tickets_without_account: isOn ? 1 : 0 })}
            />
          </div>
          <EmailTextSettings language={settings.language} />
          <IncomingMail settings={settings} version={version} />
          <Mailboxes />
          <Branding settings={settings} version={version} />
        </>
      )}
    </QueryState>
  )
}

export async function saveSettings(changes: Partial<Settings> & { expected_version?: number }): Promise<void> {
  await apiClient.POST('/api/admin/settings/update', { body: changes })
  await reloadQueries('/api/admin/settings/detail', '/api/desk')
}
