import type { DataOf } from '@deskline/client'
import { Bot, Plus } from 'lucide-react'
import { useState } from 'react'
import { type ApiToken, EndTokenDialog, NewSecret, TokenText } from '../../../app/account/api-tokens.tsx'
import { ReplaceTokenDialog } from '../../../app/account/replace-token-dialog.tsx'
import { type NewToken, type Right, TokenDialog } from '../../../app/account/token-dialog.tsx'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { permissions } from '../../../app/me.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { nameOf } from '../../../lib/person-name.ts'
import { t } from '../../../lib/strings.ts'
import { dayText, instantOf, numberText } from '../../../lib/times.ts'
import { announce } from '../../../ui/announce.ts'
import { Button } from '../../../ui/button.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import { AdminPage } from '../admin-page.tsx'
import tables from '../tables.module.css'
import styles from './api-access.module.css'
import { type ServiceAccount, ServiceAccountDialog } from './service-account-dialog.tsx'
import { TokenSettings } from './token-settings.tsx'

const accountsPath = '/api/admin/service-accounts/list'
const tokensPath = '/api/admin/tokens/list'
type OwnedToken = ApiToken & DataOf<typeof tokensPath>['api_tokens'][number]

type Open =
  | { what: 'add' }
  | { what: 'edit' | 'token' | 'delete'; account: ServiceAccount }
  | { what: 'replace' | 'end'; token: OwnedToken }

const reload = () => Promise.all([reloadQueries(accountsPath), reloadQueries(tokensPath)])

/** The programs that have access: service accounts, and the API tokens of everybody. */
export function ApiAccessPage() {
  const accounts = useApiQuery(accountsPath, {})
  const tokens = useApiQuery(tokensPath, {})
  const departments = useApiQuery('/api/departments', {})
  const [open, setOpen] = useState<Open>()
  const [made, setMade] = useState<NewToken>()
  const close = () => setOpen(undefined)
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setOpen({ what: 'add' })}>
      {t('admin.api.add')}
    </Button>
  )

  return (
    <AdminPage
      title={t('admin.api')}
      lede={t('admin.api.lede')}
      actions={accounts.data?.service_accounts.length !== 0 && add}
    >
      {made && <NewSecret key={made.token} made={made} onKept={() => setMade(undefined)} />}
      <h2 className={styles.heading}>{t('admin.api.accounts')}</h2>
      <QueryState query={accounts}>
        {({ service_accounts }) =>
          service_accounts.length === 0 ? (
            <StateMessage icon={Bot} title={t('admin.api.none')} text={t('admin.api.noneText')} action={add} />
          ) : (
            <Table
              label={t('admin.api.accounts')}
              columns={accountColumns()}
              rows={service_accounts}
              rowKey={({ id }) => id}
              isOff={({ is_active }) => !is_active}
              rowMenuLabel={({ name }) => t('admin.actionsFor', { name })}
              rowMenu={account => actionsOn(account, setOpen)}
            />
          )
        }
      </QueryState>
      <h2 className={styles.heading}>{t('account.tokens')}</h2>
      <QueryState query={tokens}>
        {({ api_tokens }) =>
          api_tokens.length === 0 ? (
            <p className={tables.hint}>{t('admin.api.noTokens')}</p>
          ) : (
            <Table
              label={t('account.tokens')}
              columns={tokenColumns()}
              rows={api_tokens}
              rowKey={({ id }) => id}
              rowMenuLabel={({ name }) => t('admin.actionsFor', { name })}
              rowMenu={token => [
                ...(token.owner.is_service_account && !token.replaced_by
                  ? [{ label: t('account.tokens.replace'), onSelect: () => setOpen({ what: 'replace', token }) }]
                  : []),
                { label: t('account.end'), danger: true, onSelect: () => setOpen({ what: 'end', token }) }
              ]}
            />
          )
        }
      </QueryState>
      <TokenSettings />
      {open?.what === 'add' && <ServiceAccountDialog onSaved={reload} onClose={close} />}
      {open?.what === 'edit' && <ServiceAccountDialog account={open.account} onSaved={reload} onClose={close} />}
      {open?.what === 'token' && (
        <TokenDialog
          rights={rightsOf(open.account)}
          departments={open.account.departments ?? departments.data?.departments}
          onMake={body => post('/api/admin/service-accounts/tokens/create', { id: open.account.id, ...body })}
          onMade={made => {
            setMade(made)
            void reload()
          }}
          onClose={close}
        />
      )}
      {open?.what === 'delete' && (
        <AsyncConfirmDialog
          title={t('admin.api.deleteTitle', { name: open.account.name })}
          text={t('admin.api.deleteText')}
          confirmLabel={t('admin.api.delete')}
          keepLabel={t('account.notNow')}
          onConfirm={async () => {
            await post('/api/admin/service-accounts/delete', { id: open.account.id })
            await reload()
            announce(t('admin.api.deleted', { name: open.account.name }))
            close()
          }}
          onClose={close}
        />
      )}
      {open?.what === 'replace' && (
        <ReplaceTokenDialog
          token={open.token}
          onReplace={body => post('/api/admin/service-accounts/tokens/replace', body)}
          onReplaced={async made => {
            setMade(made)
            await reload()
          }}
          onClose={close}
        />
      )}
      {open?.what === 'end' && (
        <EndTokenDialog
          name={open.token.name}
          onEnd={async () => {
            await post('/api/admin/tokens/revoke', { id: open.token.id })
            await reload()
          }}
          onClose={close}
        />
      )}
    </AdminPage>
  )
}

function allRights(): Right[] {
  return permissions.map(slug => ({ slug, name: t(`admin.permission.${slug}`) }))
}

function rightsOf({ permissions: granted }: Pick<ServiceAccount, 'permissions'>): Right[] {
  return allRights().filter(({ slug }) => granted.includes(slug))
}

const accountColumns = (): Column<ServiceAccount>[] => [
  {
    key: 'name',
    label: t('admin.api.account'),
    cell: ({ name, purpose, is_active }) => (
      <span className={tables.name}>
        {name}
        <span className={tables.below}>{is_active ? purpose : t('admin.api.stopped')}</span>
      </span>
    )
  },
  {
    key: 'rights',
    label: t('admin.api.rights'),
    cell: ({ permissions, departments }) => (
      <>
        {rightsOf({ permissions })
          .map(({ name }) => name)
          .join(', ') || t('admin.api.noRights')}
        {departments && <span className={tables.below}>{departments.map(({ name }) => name).join(', ')}</span>}
      </>
    )
  },
  { key: 'tokens', label: t('account.tokens'), number: true, cell: ({ token_count }) => numberText(token_count) },
  {
    key: 'used',
    label: t('admin.api.lastUsed'),
    cell: ({ last_used_on }) => (last_used_on ? dayText(instantOf(last_used_on)) : t('account.tokens.neverUsed'))
  }
]

const tokenColumns = (): Column<OwnedToken>[] => [
  {
    key: 'owner',
    label: t('admin.api.owner'),
    cell: ({ owner }) => (
      <span className={tables.name}>
        {nameOf(owner)}
        <span className={tables.below}>
          {t(owner.is_service_account ? 'admin.api.account' : `admin.api.${owner.user_type}`)}
        </span>
      </span>
    )
  },
  {
    key: 'token',
    label: t('account.tokens'),
    cell: token => <TokenText token={token} rights={allRights()} everything={t('admin.api.everything')} />
  }
]

function actionsOn(account: ServiceAccount, open: (open: Open) => void): MenuItem[] {
  return [
    ...(account.is_active
      ? [{ label: t('account.tokens.create'), onSelect: () => open({ what: 'token', account }) }]
      : []),
    { label: t('admin.api.edit'), onSelect: () => open({ what: 'edit', account }) },
    {
      label: t(account.is_active ? 'admin.api.stop' : 'admin.api.start'),
      onSelect: () => void setActive(account)
    },
    { kind: 'separator' },
    { label: t('admin.deleteMore'), danger: true, onSelect: () => open({ what: 'delete', account }) }
  ]
}

async function setActive({ id, is_active }: ServiceAccount): Promise<void> {
  await post('/api/admin/service-accounts/update', { id, is_active: is_active ? 0 : 1 })
  await reload()
}
