import type { DataOf } from '@deskline/client'
import { Building2 } from 'lucide-react'
import { useState } from 'react'
import { population } from '../../client/client.ts'
import { t } from '../../lib/strings.ts'
import { dateOf, instantOf } from '../../lib/times.ts'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { RowMenu } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { post } from '../api-client.ts'
import { useApiQuery } from '../api-queries.ts'
import { hasReason } from '../failures.ts'
import { useForm } from '../form.ts'
import { FormDialog } from '../form-dialog.tsx'
import { QueryState } from '../query-state.tsx'
import { reloadQueries } from '../reload-queries.ts'
import { RefusalBanner } from '../sign-on/refusal-banner.tsx'
import { type Provider, useArrival, useWaysToSignIn } from '../sign-on/ways-to-sign-in.ts'
import styles from './account.module.css'
import { ProofFields, proofOf, proofReasons, useNeedsProof } from './proof-fields.tsx'

const list = '/api/account/identities'
type Identity = DataOf<typeof list>['identities'][number]

/** Whether there is anything to connect an account with, or it is connected already. */
export function useHasConnectedAccounts(): boolean {
  const ways = useWaysToSignIn(population)
  const identities = useApiQuery(list, {})
  return (ways?.providers.length ?? 0) + (identities.data?.identities.length ?? 0) > 0
}

/** The accounts at identity providers with which the own one is connected, and those with which it could be. Needs the strings of `sign-on`. */
export function ConnectedAccounts() {
  const arrival = useArrival()
  const identities = useApiQuery(list, {})
  const passkeys = useApiQuery('/api/account/passkeys/list', {})
  const providers = useWaysToSignIn(population)?.providers ?? []
  const [connecting, setConnecting] = useState<Provider>()
  const [ending, setEnding] = useState<Identity>()
  const hasOther =
    passkeys.data?.has_password !== 0 || passkeys.data.passkeys.some(({ is_blocked }) => is_blocked === 0)
  return (
    <div className={styles.part}>
      <RefusalBanner arrival={arrival} providers={providers} isConnecting />
      <QueryState query={identities}>
        {({ identities }) => (
          <>
            {identities.length > 0 && (
              <ul className={styles.sessions}>
                {identities.map(identity => (
                  <li key={identity.id}>
                    <Building2 size={16} aria-hidden />
                    <div className={styles.sessionText}>
                      <p>{identity.name}</p>
                      <p className={styles.hint}>
                        {t('account.connected.since', { day: dateOf(instantOf(identity.created_at)) })}
                      </p>
                    </div>
                    <span className={styles.hint}>
                      {identity.last_used_at ? (
                        <Time at={identity.last_used_at} style="relative" />
                      ) : (
                        t('account.neverUsed')
                      )}
                    </span>
                    <RowMenu
                      label={t('account.actionsFor', { name: identity.name })}
                      items={[
                        {
                          label: t('account.connected.endMore'),
                          danger: true,
                          disabledReason: hasOther || identities.length > 1 ? undefined : t('account.onlyWayIn'),
                          onSelect: () => setEnding(identity)
                        }
                      ]}
                    />
                  </li>
                ))}
              </ul>
            )}
            <div className="row-x wrap">
              {providers
                .filter(({ slug }) => !identities.some(identity => identity.slug === slug))
                .map(provider => (
                  <Button key={provider.slug} onClick={() => setConnecting(provider)}>
                    {t('account.connected.begin', { name: provider.name })}
                  </Button>
                ))}
            </div>
          </>
        )}
      </QueryState>
      {connecting && <ConnectDialog provider={connecting} onClose={() => setConnecting(undefined)} />}
      {ending && <DisconnectDialog identity={ending} onClose={() => setEnding(undefined)} />}
    </div>
  )
}

/** Says where the browser goes, and asks for the password where the last sign-in is too old. */
function ConnectDialog({ provider: { slug, name }, onClose }: { provider: Provider; onClose: () => void }) {
  const needsProof = useNeedsProof()
  const form = useForm({ password: '', code: '' }, { reasons: proofReasons() })
  return (
    <FormDialog
      title={t('account.connected.begin', { name })}
      form={form}
      saveLabel={t('account.connected.go', { name })}
      keepLabel={t('account.notNow')}
      onSave={async values => {
        const { url } = await post('/api/account/identities/link', { slug, ...proofOf(values) })
        location.assign(url)
        return 'stay'
      }}
      onClose={onClose}
    >
      <p>{t('account.connected.beginText', { name })}</p>
      {(needsProof || hasReason(form.cause, 'fresh_sign_in_required', 'wrong_password')) && <ProofFields form={form} />}
    </FormDialog>
  )
}

function DisconnectDialog({ identity: { id, name }, onClose }: { identity: Identity; onClose: () => void }) {
  const form = useForm({})
  return (
    <ConfirmDialog
      title={t('account.connected.endTitle', { name })}
      text={t('account.connected.endText', { name })}
      confirmLabel={t('account.connected.end')}
      keepLabel={t('account.notNow')}
      busy={form.isBusy}
      error={form.failure}
      onConfirm={() =>
        void form.submit(async () => {
          await post('/api/account/identities/unlink', { id })
          await reloadQueries(list)
          announce(t('account.connected.isEnded', { name }))
          onClose()
        })
      }
      onClose={onClose}
    />
  )
}
