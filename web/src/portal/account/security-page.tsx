import { ApiTokens } from '../../app/account/api-tokens.tsx'
import { ConnectedAccounts, useHasConnectedAccounts } from '../../app/account/connected-accounts.tsx'
import { Passkeys } from '../../app/account/passkeys.tsx'
import { PasswordForm } from '../../app/account/password-form.tsx'
import { Sessions } from '../../app/account/sessions.tsx'
import { TwoFactor } from '../../app/account/two-factor.tsx'
import { useApiQuery } from '../../app/api-queries.ts'
import { QueryState } from '../../app/query-state.tsx'
import { t } from '../../lib/strings.ts'
import { AccountPage, Section } from './account-page.tsx'

/** Passkeys, connected accounts, password, second factor, sessions and API tokens. */
export function SecurityPage() {
  const profile = useApiQuery('/api/account/profile')
  const hasConnected = useHasConnectedAccounts()
  return (
    <AccountPage label="portal-account.security">
      <Section title={t('account.passkeys')} lede={t('account.passkeysLede')}>
        <Passkeys />
      </Section>
      {hasConnected && (
        <Section title={t('account.connected')} lede={t('account.connectedLede')}>
          <ConnectedAccounts />
        </Section>
      )}
      <Section title={t('account.password')}>
        <PasswordForm />
      </Section>
      <Section title={t('account.twoFactor')}>
        <QueryState query={profile}>
          {({ profile }) => (
            <TwoFactor isOn={profile.two_factor_enabled === 1} codesLeft={profile.recovery_codes_left} />
          )}
        </QueryState>
      </Section>
      <Section title={t('account.sessions')} lede={t('account.sessionsLede')}>
        <Sessions />
      </Section>
      <Section title={t('account.tokens')} lede={t('account.tokensLede')}>
        <ApiTokens />
      </Section>
    </AccountPage>
  )
}
