import { CircleAlert, KeyRound, Plus, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { nameOf } from '../../../lib/person-name.ts'
import { type Key, t } from '../../../lib/strings.ts'
import { instantOf, listText } from '../../../lib/times.ts'
import { useSearch } from '../../../router/react.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { Time } from '../../../ui/time.tsx'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import { Link } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import { DeskSettings } from '../desk-settings.tsx'
import { saveSettings } from '../save-settings.ts'
import { SettingRow, SwitchRow } from '../setting-row.tsx'
import settingsStyles from '../settings.module.css'
import { type Population, type Provider, providersPath } from './providers.ts'
import styles from './sign-on.module.css'

/** How staff and clients sign in: the providers, what is required, passkeys, and who was refused lately. */
export function SignInPage() {
  const query = useApiQuery(providersPath, {})
  const { tested } = useSearch<{ tested?: number }>()
  return (
    <AdminPage title={t('admin.signIn')} lede={t('admin.signInLede')} width="settings">
      {tested === 1 && <Banner tone="info">{t('sign-on-admin.testIsBack')}</Banner>}
      <DeskSettings>
        {({ settings }) => (
          <QueryState query={query}>
            {({ providers, passkeys, locked_out, staff_count }) => (
              <div className={styles.groups}>
                <Group title={t('sign-on-admin.staff')}>
                  <Providers population="staff" providers={providers} of={staff_count} />
                  <OnlySingleSignOn
                    isOn={settings.require_sso_staff === 1}
                    hasProvider={providers.some(each => each.population === 'staff' && each.is_active === 1)}
                    lockedOut={locked_out.map(nameOf)}
                  />
                  <SettingRow
                    title={<Title icon={KeyRound}>{t('sign-on-admin.passkeys')}</Title>}
                    hint={
                      passkeys.host
                        ? t('sign-on-admin.staffPasskeys', {
                            count: passkeys.staff_count,
                            of: staff_count,
                            host: passkeys.host
                          })
                        : t('sign-on-admin.noPasskeys')
                    }
                  >
                    {null}
                  </SettingRow>
                  <SwitchRow
                    setting="staffTwoFactor"
                    isOn={settings.require_staff_2fa === 1}
                    onChange={isOn => saveSettings({ require_staff_2fa: isOn ? 1 : 0 })}
                  />
                  <AddProvider population="staff" />
                </Group>
                <Group title={t('sign-on-admin.clients')}>
                  <Providers population="client" providers={providers} />
                  <SwitchRow
                    setting="signUp"
                    isOn={settings.sign_up === 1}
                    onChange={isOn => saveSettings({ sign_up: isOn ? 1 : 0 })}
                  />
                  <SettingRow
                    title={<Title icon={KeyRound}>{t('sign-on-admin.passkeys')}</Title>}
                    hint={
                      passkeys.host
                        ? t('sign-on-admin.clientPasskeys', { count: passkeys.client_count })
                        : t('sign-on-admin.noPasskeys')
                    }
                  >
                    {null}
                  </SettingRow>
                  <AddProvider population="client" />
                </Group>
                <Group title={t('sign-on-admin.everybody')}>
                  <SwitchRow
                    setting="newDeviceEmails"
                    isOn={settings.new_device_emails === 1}
                    onChange={isOn => saveSettings({ new_device_emails: isOn ? 1 : 0 })}
                  />
                </Group>
                <Refusals providers={providers} />
              </div>
            )}
          </QueryState>
        )}
      </DeskSettings>
    </AdminPage>
  )
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <div className={settingsStyles.card}>{children}</div>
    </section>
  )
}

function Title({ icon: Icon, children }: { icon: typeof KeyRound; children: React.ReactNode }) {
  return (
    <span className={styles.title}>
      <Icon size={16} aria-hidden /> {children}
    </span>
  )
}

function Providers({ population, providers, of }: { population: Population; providers: Provider[]; of?: number }) {
  return providers
    .filter(each => each.population === population)
    .map(({ id, name, is_active, connected_count: count }) => (
      <SettingRow
        key={id}
        title={
          <span className={styles.title}>
            <span className={styles.tile} aria-hidden>
              {[...name][0]!.toUpperCase()}
            </span>
            {name}
          </span>
        }
        hint={
          of === undefined
            ? t('sign-on-admin.connectedClients', { count })
            : t('sign-on-admin.connectedStaff', { count, of })
        }
      >
        <Badge tone={is_active ? 'green' : 'plain'}>{is_active ? t('sign-on-admin.on') : t('sign-on-admin.off')}</Badge>
        <Link
          to="/settings/sign-in/$providerId"
          params={{ providerId: String(id) }}
          className={buttonClass('plain', 'sm')}
          aria-label={t('sign-on-admin.openThat', { name })}
        >
          {t('sign-on-admin.open')}
        </Link>
      </SettingRow>
    ))
}

function AddProvider({ population }: { population: Population }) {
  return (
    <div className={settingsStyles.row}>
      <Link to="/settings/sign-in/new" search={{ population }} className={buttonClass()}>
        <Plus size={16} aria-hidden />
        {population === 'staff' ? t('sign-on-admin.addForStaff') : t('sign-on-admin.addForClients')}
      </Link>
    </div>
  )
}

interface OnlySingleSignOnProps {
  isOn: boolean
  hasProvider: boolean
  lockedOut: string[]
}

/** Who would be locked out is named before it is turned on. */
function OnlySingleSignOn({ isOn, hasProvider, lockedOut }: OnlySingleSignOnProps) {
  const [isAsking, setAsking] = useState(false)
  const turn = (next: boolean) => saveSettings({ require_sso_staff: next ? 1 : 0 })
  if (!hasProvider && !isOn)
    return (
      <SettingRow
        title={<Title icon={ShieldCheck}>{t('sign-on-admin.only')}</Title>}
        hint={t('sign-on-admin.onlyNeedsProvider')}
      >
        {null}
      </SettingRow>
    )
  return (
    <>
      <SwitchRow
        setting="onlySingleSignOn"
        isOn={isOn}
        onChange={next => (next && lockedOut.length > 0 ? setAsking(true) : turn(next))}
      />
      {lockedOut.length > 0 && (
        <p className={styles.note}>{t('sign-on-admin.notConnected', { count: lockedOut.length })}</p>
      )}
      {isAsking && (
        <AsyncConfirmDialog
          title={t('sign-on-admin.onlyTitle')}
          text={t('sign-on-admin.onlyText', {
            count: lockedOut.length,
            names: listText(lockedOut.length > 10 ? [...lockedOut.slice(0, 10), '…'] : lockedOut)
          })}
          confirmLabel={t('sign-on-admin.turnOn')}
          keepLabel={t('sign-on-admin.notNow')}
          onConfirm={async () => {
            await turn(true)
            setAsking(false)
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

const codes = [
  'access_denied',
  'account_unknown',
  'deactivated',
  'link_refused',
  'provider_error',
  'verify_first',
  'wrong_tenant'
] as const
const week = 7 * 86_400_000

function Refusals({ providers }: { providers: Provider[] }) {
  const query = useApiQuery('/api/admin/sso/refusals/list', {})
  const since = Date.now() - week
  const refusals = query.data?.refusals.filter(({ created_at }) => instantOf(created_at).getTime() > since) ?? []
  if (refusals.length === 0) return null
  return (
    <Group title={t('sign-on-admin.refused')}>
      {refusals.slice(0, 50).map(({ id, slug, code, reason, reference, created_at }) => {
        const known = codes.find(each => each === code)
        return (
          <SettingRow
            key={id}
            title={<Title icon={CircleAlert}>{known ? t(`sign-on-admin.code.${known}` satisfies Key) : code}</Title>}
            hint={
              <>
                {providers.find(each => each.slug === slug)?.name ?? slug} · {reason} ·{' '}
                {t('sign-on-admin.reference', { reference })}
              </>
            }
          >
            <span className={settingsStyles.hint}>
              <Time at={created_at} />
            </span>
          </SettingRow>
        )
      })}
    </Group>
  )
}
