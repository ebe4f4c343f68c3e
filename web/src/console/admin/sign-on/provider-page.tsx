import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery, whileEdited } from '../../../app/api-queries.ts'
import { useForm } from '../../../app/form.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { t } from '../../../lib/strings.ts'
import { useParams, useSearch } from '../../../router/react.tsx'
import { announce } from '../../../ui/announce.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { RowMenu } from '../../../ui/table.tsx'
import { toast } from '../../../ui/toast.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import { useNavigate } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import layout from '../mailboxes/mailboxes.module.css'
import { ProviderFields } from './provider-fields.tsx'
import { ProviderTest } from './provider-test.tsx'
import {
  draftOf,
  emptyDraft,
  type Population,
  type Provider,
  type ProviderDraft,
  providersPath,
  reloadProviders,
  settingsOf
} from './providers.ts'

const above = () => ({ to: '/settings/sign-in', label: t('admin.signIn') }) as const

function useProviderForm(initial: ProviderDraft) {
  return useForm(initial, {
    check: ({ name, issuer, client_id }) => ({
      name: !name.trim() && t('ui.fieldMissing'),
      issuer: issuer.includes('<') ? t('sign-on-admin.fillIn') : !issuer.trim() && t('ui.fieldMissing'),
      client_id: !client_id.trim() && t('ui.fieldMissing')
    }),
    problems: { issuer: t('sign-on-admin.issuerRefused'), slug: t('sign-on-admin.slugRefused') },
    reasons: { slug_taken: { slug: t('sign-on-admin.slugTaken') } },
    failureText: adminFailureText
  })
}

/** A new provider: it is saved turned off, and tested on its own page. */
export function NewProviderPage() {
  const navigate = useNavigate()
  const population: Population = useSearch<{ population?: string }>().population === 'client' ? 'client' : 'staff'
  const form = useProviderForm(emptyDraft)

  async function save() {
    let id = 0
    const done = await form.submit(async values => {
      const body = { ...settingsOf(values), slug: values.slug.trim(), population, is_active: 0 as const }
      id = (await post('/api/admin/sso/create', body)).provider.id
      await reloadProviders()
    })
    if (done) await navigate({ to: '/settings/sign-in/$providerId', params: { providerId: String(id) } })
  }

  return (
    <AdminPage
      title={population === 'staff' ? t('sign-on-admin.addForStaff') : t('sign-on-admin.addForClients')}
      lede={t('sign-on-admin.newLede')}
      above={above()}
      width="settings"
    >
      <form
        className={layout.cards}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <ProviderFields form={form} population={population} />
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
        <IssuerReason cause={form.cause} />
        <div className="row-x wrap">
          <Button variant="primary" type="submit" busy={form.isBusy} busyLabel={t('sign-on-admin.asking')}>
            {t('sign-on-admin.saveAndTest')}
          </Button>
        </div>
      </form>
    </AdminPage>
  )
}

/** What the service says about the issuer names the step that failed. */
function IssuerReason({ cause }: { cause: unknown }) {
  const isAboutIssuer = cause instanceof Error && 'errors' in cause && String(cause.errors) === 'issuer'
  return isAboutIssuer ? <Banner tone="bad">{cause.message}</Banner> : null
}

/** One provider: its form, and the test beside it. */
export function ProviderPage() {
  const { providerId } = useParams<{ providerId: string }>()
  const query = useApiQuery(providersPath, {}, whileEdited)
  const provider = query.data?.providers.find(({ id }) => String(id) === providerId)
  return (
    <AdminPage
      title={provider?.name ?? t('sign-on-admin.provider')}
      lede={provider && <Lede provider={provider} of={query.data?.staff_count ?? 0} />}
      above={above()}
      actions={provider && <More provider={provider} />}
    >
      <QueryState query={query}>
        {() =>
          provider ? (
            <Editor key={provider.id} provider={provider} />
          ) : (
            <StateMessage kind="error" title={t('sign-on-admin.gone')} />
          )
        }
      </QueryState>
    </AdminPage>
  )
}

function Lede({ provider: { population, is_active, connected_count: count }, of }: { provider: Provider; of: number }) {
  const who =
    population === 'staff'
      ? t('sign-on-admin.connectedStaff', { count, of })
      : t('sign-on-admin.connectedClients', { count })
  return (
    <>
      {population === 'staff' ? t('sign-on-admin.forStaff') : t('sign-on-admin.forClients')}{' '}
      {is_active ? t('sign-on-admin.isOn') : t('sign-on-admin.isOff')} {who}
    </>
  )
}

async function turn({ id, version }: Provider, is_active: 0 | 1): Promise<void> {
  try {
    await post('/api/admin/sso/update', { id, is_active, expected_version: version })
    await reloadProviders()
    announce(is_active ? t('sign-on-admin.turnedOn') : t('sign-on-admin.turnedOff'))
  } catch (error) {
    toast({ text: adminFailureText(error), tone: 'bad' })
  }
}

function More({ provider }: { provider: Provider }) {
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const { id, name, is_active, connected_count: count } = provider
  return (
    <>
      {is_active === 1 && <Button onClick={() => void turn(provider, 0)}>{t('sign-on-admin.turnOff')}</Button>}
      <RowMenu
        label={t('admin.actionsFor', { name })}
        items={[{ label: t('admin.deleteMore'), danger: true, onSelect: () => setDeleting(true) }]}
      />
      {isDeleting && (
        <AsyncConfirmDialog
          title={t('sign-on-admin.deleteTitle', { name })}
          text={t('sign-on-admin.deleteText', { count })}
          typed={name}
          confirmLabel={t('sign-on-admin.delete')}
          keepLabel={t('sign-on-admin.notNow')}
          onConfirm={async () => {
            await post('/api/admin/sso/delete', { id })
            await navigate({ to: '/settings/sign-in' })
            await reloadProviders()
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}

function Editor({ provider }: { provider: Provider }) {
  const { id, version, population, is_active } = provider
  const form = useProviderForm(draftOf(provider))
  /** The version of which a test went through: what is changed afterwards has to be tested anew. */
  const [tested, setTested] = useState<number>()
  const isTested = tested === version && !form.isChanged

  async function save() {
    const done = await form.submit(async values => {
      await post('/api/admin/sso/update', { id, ...settingsOf(values), expected_version: version })
      await reloadProviders()
    })
    if (!done) return
    form.reset({ ...form.values, client_secret: '' })
    announce(t('admin.saved'))
  }

  return (
    <div className={layout.columns}>
      <form
        className={layout.cards}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <ProviderFields form={form} population={population} provider={provider} />
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
        <IssuerReason cause={form.cause} />
        <div className="row-x wrap">
          <Button type="submit" variant={is_active ? 'primary' : 'plain'} busy={form.isBusy} disabled={!form.isChanged}>
            {t('admin.save')}
          </Button>
          {is_active === 0 && (
            <Button
              variant="primary"
              disabled={!isTested}
              reason={isTested ? undefined : t('sign-on-admin.testFirst')}
              onClick={() => void turn(provider, 1)}
            >
              {t('sign-on-admin.turnOn')}
            </Button>
          )}
        </div>
      </form>
      <ProviderTest provider={provider} isChanged={form.isChanged} onPassed={() => setTested(version)} />
    </div>
  )
}
