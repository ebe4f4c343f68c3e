import { ArrowLeft, Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { can } from '../../app/me.ts'
import { QueryState } from '../../app/query-state.tsx'
import { useApiMutation } from '../../app/use-api-mutation.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { useParams } from '../../router/react.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { Page, PageTitle } from '../../ui/page.tsx'
import { RowMenu } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.tsx'
import { Link } from '../navigation.ts'
import { openNewTicket } from '../overlay.ts'
import styles from './client.module.css'
import type { ClientDetail } from './client-detail.ts'
import { ClientFormDialog } from './client-form-dialog.tsx'
import { ClientProfile } from './client-profile.tsx'
import { ClientTickets } from './client-tickets.tsx'
import { UndeliverableBanner } from './undeliverable-banner.tsx'

/** A client: their profile and their tickets. */
export function ClientPage() {
  const { id } = useParams()
  const query = useApiQuery('/api/admin/clients/detail', { id: Number(id) })
  return (
    <QueryState query={query} heading="h1">
      {({ client }) => <Client client={client} />}
    </QueryState>
  )
}

function Client({ client }: { client: ClientDetail }) {
  const name = nameOf(client)
  const [asked, setAsked] = useState<'edit' | 'deactivate'>()
  // Only the list endpoint has the client's number and date of creation.
  const { data: listed, isPending: isListPending } = useApiQuery(
    '/api/admin/clients/list',
    { search: client.email, limit: 10 },
    { select: ({ clients }) => clients.find(({ id }) => id === client.id) }
  )
  const { data: reached, isPending: isReachPending } = useApiQuery('/api/admin/clients/deliverability', {
    id: client.id
  })
  const isKnown = !isListPending && !isReachPending
  const known = { ...client, phone_number: listed?.phone_number, language: reached?.language }
  const update = useApiMutation('/api/admin/clients/update', {
    changes: ['/api/admin/clients/list', '/api/admin/clients/detail'],
    onSuccess: data =>
      toast({ text: t(data.client.is_active ? 'clients.reactivatedToast' : 'clients.deactivatedToast', { name }) })
  })
  const setActive = (is_active: 0 | 1) => update.mutate({ id: client.id, is_active })

  const more: MenuItem[] = [{ label: t('clients.copyEmail'), onSelect: () => void copy(client.email) }]
  if (can('clients.edit'))
    more.push(
      client.is_active
        ? { label: t('clients.deactivate'), onSelect: () => setAsked('deactivate'), danger: true }
        : { label: t('clients.reactivate'), onSelect: () => setActive(1) }
    )

  return (
    <Page title={name} width="list">
      <div className={styles.page}>
        <Link to="/clients" aria-current={false} className="back-link">
          <ArrowLeft size={16} aria-hidden />
          {t('clients.backToClients')}
        </Link>
        <div className="head-row">
          <Avatar person={{ id: client.id, name, kind: 'client' }} size={44} />
          <div className="grow">
            <PageTitle className="big">
              <bdi>{name}</bdi>
            </PageTitle>
            {client.company_name && (
              <p className={styles.company}>
                <bdi>{client.company_name}</bdi>
              </p>
            )}
          </div>
          <div className="actions">
            {can('tickets.reply') && client.is_active === 1 && (
              <Button icon={Plus} onClick={() => openNewTicket(client)}>
                {t('clients.newTicket')}
              </Button>
            )}
            {can('clients.edit') && (
              <Button icon={Pencil} busy={asked === 'edit' && !isKnown} onClick={() => setAsked('edit')}>
                {t('clients.edit')}
              </Button>
            )}
            <RowMenu items={more} label={t('clients.more')} />
          </div>
        </div>
        {!client.is_active && <Banner tone="warn">{t('clients.deactivatedBanner', { name })}</Banner>}
        <UndeliverableBanner client={client} />
        <div className={styles.columns}>
          <ClientTickets client={client} />
          <ClientProfile client={client} listed={listed} />
        </div>
        <ClientFormDialog open={asked === 'edit' && isKnown} client={known} onClose={() => setAsked(undefined)} />
        {asked === 'deactivate' && (
          <ConfirmDialog
            title={t('clients.deactivateTitle', { name })}
            text={t('clients.deactivateText', { name })}
            confirmLabel={t('clients.deactivate')}
            keepLabel={t('clients.keep')}
            onClose={() => setAsked(undefined)}
            onConfirm={() => {
              setActive(0)
              setAsked(undefined)
            }}
          />
        )}
      </div>
    </Page>
  )
}

async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  toast({ text: t('clients.copied') })
}
