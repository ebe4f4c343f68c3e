import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import type { Form } from '../../../app/form.ts'
import { type Key, t } from '../../../lib/strings.ts'
import { Button } from '../../../ui/button.tsx'
import { PasswordField, SelectField, TextField } from '../../../ui/field.tsx'
import { SegmentedControl } from '../../../ui/form-controls.tsx'
import settings from '../settings.module.css'
import { type MailboxDraft, withPreset } from './mailbox-draft.ts'
import styles from './mailboxes.module.css'
import type { Preset } from './mailboxes.ts'

interface ConnectionFieldsProps {
  form: Form<MailboxDraft>
  isNew: boolean
  /** Whether a password, or the secret of the client, is saved: it is never shown. */
  hasPassword: boolean
  hasClientSecret: boolean
}

/** The address, its servers, how one signs in, and what becomes of its mail. */
export function ConnectionFields({ form, isNew, hasPassword, hasClientSecret }: ConnectionFieldsProps) {
  const presets = useApiQuery('/api/admin/mail/mailboxes/presets', {}, { staleTime: Number.POSITIVE_INFINITY })
  const departments = useApiQuery('/api/departments', {})
  const [found, setFound] = useState<string>()
  const { values, set, field } = form
  const list = presets.data?.presets ?? []
  const chosen = list.find(({ imap, smtp }) => imap.host === values.imap_host && smtp.host === values.smtp_host)
  const isOAuth = values.auth === 'oauth2'

  function choose(preset: Preset | undefined) {
    if (!preset) return
    for (const [name, value] of Object.entries(withPreset(preset))) set(name as keyof MailboxDraft, value)
  }

  /** The provider is looked for when the address is there. */
  async function look() {
    const address = values.address.trim()
    if (!isNew || !/.@.+\../.test(address) || values.imap_host || found === address) return
    setFound(address)
    const data = await post('/api/admin/mail/mailboxes/presets', { address }).catch(() => undefined)
    choose(data?.presets.find(({ provider }) => provider === data.found))
  }

  return (
    <>
      <section className={settings.card} aria-label={t('mailboxes.address')}>
        <div className={settings.padded}>
          <TextField
            {...field('address')}
            label={t('mailboxes.address')}
            type="email"
            autoComplete="off"
            onBlur={() => void look()}
          />
          <SelectField
            label={t('mailboxes.provider')}
            hint={chosen?.hint ? t(`mailboxes.hint.${chosen.hint}` satisfies Key) : undefined}
            value={chosen?.provider ?? ''}
            options={[
              { value: '', label: t('mailboxes.otherServers') },
              ...list.map(({ provider, name }) => ({ value: provider, label: name }))
            ]}
            onChange={provider => choose(list.find(each => each.provider === provider))}
          />
          {!chosen && (
            <>
              <Server form={form} kind="imap" label={t('mailboxes.receivesFrom')} />
              <Server form={form} kind="smtp" label={t('mailboxes.sendsThrough')} />
            </>
          )}
        </div>
      </section>

      <section className={settings.card} aria-label={t('mailboxes.signIn')}>
        <div className={styles.head}>
          <h2>{t('mailboxes.signIn')}</h2>
        </div>
        <div className={settings.padded}>
          <SegmentedControl
            label={t('mailboxes.howToSignIn')}
            value={values.auth}
            options={[
              { value: 'oauth2', label: t(`mailboxes.with.${values.provider as 'google'}` satisfies Key) },
              { value: 'password', label: t('mailboxes.withPassword') }
            ]}
            onChange={auth => set('auth', auth)}
          />
          <TextField
            {...field('user')}
            label={t('mailboxes.user')}
            hint={t('mailboxes.userHint')}
            autoComplete="off"
            optional
          />
          {isOAuth ? (
            <Registration
              form={form}
              callbackUrl={presets.data?.callback_url ?? ''}
              hasClientSecret={hasClientSecret}
            />
          ) : (
            <PasswordField
              {...field('password')}
              label={t('mailboxes.password')}
              hint={hasPassword ? t('mailboxes.passwordSaved') : undefined}
              autoComplete="new-password"
            />
          )}
        </div>
      </section>

      <section className={settings.card} aria-label={t('mailboxes.whatBecomes')}>
        <div className={styles.head}>
          <h2>{t('mailboxes.whatBecomes')}</h2>
        </div>
        <div className={settings.padded}>
          <div className={styles.two}>
            <SelectField
              {...field('deptid')}
              label={t('mailboxes.department')}
              options={[
                ...(values.deptid ? [] : [{ value: '', label: t('mailboxes.choose') }]),
                ...(departments.data?.departments ?? []).map(({ deptid, name }) => ({
                  value: String(deptid),
                  label: name
                }))
              ]}
            />
            <TextField {...field('name')} label={t('mailboxes.name')} maxLength={100} />
            <SelectField
              {...field('begin')}
              label={t('mailboxes.begin')}
              options={[
                ...(isNew ? [] : [{ value: '', label: t('mailboxes.beginAsItIs') }]),
                { value: 'now', label: t('mailboxes.beginNow') },
                { value: 'unread', label: t('mailboxes.beginUnread') },
                { value: 'week', label: t('mailboxes.beginWeek') }
              ]}
            />
            <SelectField
              {...field('taken')}
              label={t('mailboxes.taken')}
              options={[
                { value: 'seen', label: t('mailboxes.takenSeen') },
                { value: 'move', label: t('mailboxes.takenMove') },
                { value: 'delete', label: t('mailboxes.takenDelete') }
              ]}
            />
            {values.taken === 'move' && <TextField {...field('moved_to')} label={t('mailboxes.movedTo')} />}
          </div>
        </div>
      </section>
    </>
  )
}

const securities = () => [
  { value: 'tls', label: 'TLS' },
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'none', label: t('mailboxes.noEncryption') }
]

function Server({ form, kind, label }: { form: Form<MailboxDraft>; kind: 'imap' | 'smtp'; label: string }) {
  return (
    <div className={styles.server}>
      <TextField {...form.field(`${kind}_host`)} label={label} autoComplete="off" />
      <TextField {...form.field(`${kind}_port`)} label={t('mailboxes.port')} inputMode="numeric" />
      <SelectField {...form.field(`${kind}_security`)} label={t('mailboxes.security')} options={securities()} />
    </div>
  )
}

/** The desk as it is registered at the provider. */
function Registration({
  form,
  callbackUrl,
  hasClientSecret
}: {
  form: Form<MailboxDraft>
  callbackUrl: string
  hasClientSecret: boolean
}) {
  const { values, field } = form
  return (
    <details open={!values.client_id || undefined}>
      <summary>{t('mailboxes.registration')}</summary>
      <p className={settings.hint}>{t('mailboxes.registrationHint')}</p>
      <p className="row-x wrap">
        <code className={styles.copy}>{callbackUrl}</code>
        <Button size="sm" onClick={() => void navigator.clipboard.writeText(callbackUrl)}>
          {t('mailboxes.copy')}
        </Button>
      </p>
      <TextField {...field('client_id')} label={t('mailboxes.clientId')} autoComplete="off" />
      <PasswordField
        {...field('client_secret')}
        label={t('mailboxes.clientSecret')}
        hint={hasClientSecret ? t('mailboxes.passwordSaved') : undefined}
        autoComplete="new-password"
      />
      <TextField {...field('secret_ends_on')} label={t('mailboxes.secretEndsOn')} type="date" optional />
      <TextField
        {...field('authorize_url')}
        label={t('mailboxes.authorizeUrl')}
        hint={values.provider === 'custom' ? undefined : t('mailboxes.ownTenant')}
        optional={values.provider !== 'custom'}
      />
      <TextField {...field('token_url')} label={t('mailboxes.tokenUrl')} optional={values.provider !== 'custom'} />
      <TextField {...field('scope')} label={t('mailboxes.scope')} optional />
    </details>
  )
}
