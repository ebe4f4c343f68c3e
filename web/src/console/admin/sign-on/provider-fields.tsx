import { Copy } from 'lucide-react'
import { copyText } from '../../../app/copy-text.ts'
import type { Form } from '../../../app/form.ts'
import { t } from '../../../lib/strings.ts'
import { Button } from '../../../ui/button.tsx'
import { PasswordField, SelectField, TextField } from '../../../ui/field.tsx'
import { SegmentedControl, Switch } from '../../../ui/form-controls.tsx'
import layout from '../mailboxes/mailboxes.module.css'
import settings from '../settings.module.css'
import { type Population, type Provider, type ProviderDraft, presets, slugOf } from './providers.ts'
import { RoleRows } from './role-rows.tsx'
import styles from './sign-on.module.css'

interface ProviderFieldsProps {
  form: Form<ProviderDraft>
  population: Population
  /** The saved one. */
  provider?: Provider
}

type Preset = keyof typeof presets
const presetNames = ['keycloak', 'entra', 'google'] as const satisfies Preset[]

/** Who the provider is, and whom it lets in. */
export function ProviderFields({ form, population, provider }: ProviderFieldsProps) {
  const { values, set, field } = form
  const slug = provider?.slug ?? values.slug
  const callback = provider?.redirect_uri ?? `${location.origin}/api/sso/${slug || '…'}/callback`
  const preset = presetNames.find(each => values.issuer.startsWith(beginningOf(presets[each].issuer)))

  function name(next: string) {
    if (!provider && values.slug === slugOf(values.name)) set('slug', slugOf(next))
    set('name', next)
  }

  function choose(chosen: Preset | 'other') {
    const { name: own, ...rest } = chosen === 'other' ? { ...presets.google, name: '', issuer: '' } : presets[chosen]
    for (const [key, value] of Object.entries(rest)) set(key as keyof ProviderDraft, value)
    if (!values.name) name(own)
  }

  return (
    <>
      <section className={settings.card} aria-label={t('sign-on-admin.provider')}>
        <div className={layout.head}>
          <h2>{t('sign-on-admin.provider')}</h2>
        </div>
        <div className={settings.padded}>
          {!provider && (
            <SegmentedControl
              label={t('sign-on-admin.preset')}
              value={preset ?? 'other'}
              options={[
                { value: 'keycloak', label: 'Keycloak' },
                { value: 'entra', label: 'Entra ID' },
                { value: 'google', label: 'Google' },
                { value: 'other', label: t('sign-on-admin.other') }
              ]}
              onChange={choose}
            />
          )}
          <TextField {...field('name')} onChange={name} label={t('sign-on-admin.name')} maxLength={100} />
          <TextField
            {...field('issuer')}
            label={t('sign-on-admin.issuer')}
            hint={t('sign-on-admin.issuerHint')}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
          />
          <div className={layout.two}>
            <TextField {...field('client_id')} label={t('sign-on-admin.clientId')} autoComplete="off" />
            <PasswordField
              {...field('client_secret')}
              label={t('sign-on-admin.clientSecret')}
              hint={provider?.has_secret ? t('sign-on-admin.secretSaved') : undefined}
              autoComplete="new-password"
            />
          </div>
          {!provider && (
            <TextField
              {...field('slug')}
              label={t('sign-on-admin.slug')}
              hint={t('sign-on-admin.slugHint')}
              maxLength={50}
              autoComplete="off"
              spellCheck={false}
            />
          )}
          <div>
            <p className={settings.title}>{t('sign-on-admin.callback')}</p>
            <p className="row-x wrap">
              <code className={layout.copy}>{callback}</code>
              <Button size="sm" icon={Copy} onClick={() => void copyText(callback)}>
                {t('sign-on-admin.copy')}
              </Button>
            </p>
          </div>
          <TextField
            {...field('scopes')}
            label={t('sign-on-admin.scopes')}
            hint={t('sign-on-admin.scopesHint')}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
      </section>

      <section className={settings.card} aria-label={t('sign-on-admin.whoGetsIn')}>
        <div className={layout.head}>
          <h2>{t('sign-on-admin.whoGetsIn')}</h2>
        </div>
        <div className={settings.padded}>
          <TextField
            {...field('domains')}
            label={t('sign-on-admin.domains')}
            hint={t('sign-on-admin.domainsHint')}
            autoComplete="off"
            spellCheck={false}
            optional
          />
          <SelectField
            {...field('email_trust')}
            label={t('sign-on-admin.trust')}
            hint={values.email_trust === 'issuer' ? t('sign-on-admin.trustIssuerHint') : undefined}
            options={[
              { value: 'verified_claim', label: t('sign-on-admin.trustClaim') },
              { value: 'issuer', label: t('sign-on-admin.trustIssuer') }
            ]}
          />
          {values.email_trust === 'issuer' && !values.domains.trim() && (
            <p className={layout.warn}>{t('sign-on-admin.trustNeedsDomains')}</p>
          )}
          <Switch
            label={population === 'staff' ? t('sign-on-admin.createStaff') : t('sign-on-admin.createClients')}
            hint={population === 'staff' ? t('sign-on-admin.createStaffHint') : t('sign-on-admin.createClientsHint')}
            checked={values.create_accounts === '1'}
            onChange={isOn => set('create_accounts', isOn ? '1' : '0')}
          />
          <Switch
            label={t('sign-on-admin.trustMfa')}
            hint={t('sign-on-admin.trustMfaHint')}
            checked={values.trust_amr_mfa === '1'}
            onChange={isOn => set('trust_amr_mfa', isOn ? '1' : '0')}
          />
        </div>
      </section>

      {population === 'staff' && (
        <section className={settings.card} aria-label={t('sign-on-admin.roles')}>
          <div className={layout.head}>
            <h2>{t('sign-on-admin.roles')}</h2>
          </div>
          <div className={settings.padded}>
            <TextField
              {...field('role_claim')}
              label={t('sign-on-admin.roleClaim')}
              hint={t('sign-on-admin.roleClaimHint')}
              autoComplete="off"
              spellCheck={false}
              optional
            />
            {values.role_claim.trim() ? (
              <RoleRows form={form} />
            ) : (
              <p className={styles.lede}>{t('sign-on-admin.noRoles')}</p>
            )}
          </div>
        </section>
      )}
    </>
  )
}

function beginningOf(issuer: string): string {
  return issuer.slice(0, issuer.indexOf('<') === -1 ? undefined : issuer.indexOf('<')).replace(/^https:\/\/$/, '\n')
}
