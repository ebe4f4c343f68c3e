import type { DataOf } from '@deskline/client'
import { Bot, Plus } from 'lucide-react'
import { useState } from 'react'
import {
  type ApiToken,
  EndTokenDialog,
  endsSoon,
  isUnusedLong,
  NewSecret,
  whatItMay
} from '../../../app/account/api-tokens.tsx'
import { type NewToken, TokenDialog } from '../../../app/account/token-dialog.tsx'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { nameOf } from '../../../lib/person-name.ts'
import { t } from '../../../lib/strings.ts'
import { dateOf, dayText, instantOf } from '../../../lib/times.ts'
import { announce } from '../../../ui/announce.ts'
import { Button } from '../../../ui/button.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import { Link } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import { allRights } from '../all-rights.ts'
import tables from '../tables.module.css'
import styles from './api-access.module.css'
import { type ServiceAccount, ServiceAccountDialog } from './service-account-dialog.tsx'
import { TokenSettings } from './token-settings.tsx'

const accountsPath = '/api/admin/service-accounts/list'
const tokensPath = '/api/admin/tokens/list'
type OwnedToken = ApiToken & DataOf<typeof tokensPath>['api_tokens'][number]

type Open =
  | { what: 'add' }
  | { what: 'token' | 'stop' | 'delete'; account: ServiceAccount }
  | { what: 'end'; token: OwnedToken }

const reload = () => reloadQueries(accountsPath, tokensPath)

/** The programs that have access: service accounts, and the API tokens of everybody. */
export function ApiAccessPage() {
  const accounts = useApiQuery(accountsPath, {})
  const tokens = useApiQuery(tokensPath, {})
  const departments = useApiQuery('/api/departments', {})
  const [open, setOpen] = useState<Open>()
  const hasNone = accounts.data?.service_accounts.length === 0
  const hasNoTokens = tokens.data?.api_tokens.length === 0
  const [made, setMade] = useState<NewToken>()
  const close = () => setOpen(undefined)
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setOpen({ what: 'add' })}>
      {t('admin.api.add')}
    </Button>
  )

  return (
    <AdminPage title={t('admin.api')} lede={t('admin.api.lede')} actions={!(hasNone && hasNoTokens) && add}>
      {made && <NewSecret key={made.token} made={made} onKept={() => setMade(undefined)} />}
      <h2 className={styles.heading}>{t('admin.api.accounts')}</h2>
      <QueryState query={accounts}>
        {({ service_accounts }) =>
          service_accounts.length === 0 ? (
            hasNoTokens ? (
              <StateMessage
                icon={Bot}
                title={t('admin.api.noAccess')}
                text={
                  <>
                    {t('admin.api.noneText')}{' '}
                    <a href="/docs" className="link">
                      {t('admin.api.description', { address: `${location.origin}/docs` })}
                    </a>
                  </>
                }
                action={add}
              />
            ) : (
              <p className={tables.hint}>{t('admin.api.noneText')}</p>
            )
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
      <h2 className={styles.heading}>{t('admin.api.peoplesTokens')}</h2>
      <QueryState query={tokens}>
        {({ api_tokens }) =>
          peoples(api_tokens).length === 0 ? (
            <p className={tables.hint}>{t('admin.api.noTokens')}</p>
          ) : (
            <Table
              label={t('admin.api.peoplesTokens')}
              columns={tokenColumns()}
              rows={peoples(api_tokens)}
              rowKey={({ id }) => id}
              rowMenuLabel={({ name }) => t('admin.actionsFor', { name })}
              rowMenu={token => [
                { label: t('account.end'), danger: true, onSelect: () => setOpen({ what: 'end', token }) }
              ]}
            />
          )
        }
      </QueryState>
      <TokenSettings />
      {open?.what === 'add' && <ServiceAccountDialog onSaved={reload} onClose={close} />}
      {open?.what === 'token' && (
        <TokenDialog
          rights={allRights(slug => !open.account.permissions.includes(slug) && t('admin.api.notIts'))}
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
      {open?.what === 'stop' && (
        <AsyncConfirmDialog
          title={t('admin.api.stopTitle', { name: open.account.name })}
          text={t('admin.api.stopText')}
          confirmLabel={t('admin.api.stop')}
          keepLabel={t('account.notNow')}
          onConfirm={async () => {
            await setActive(open.account)
            close()
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

/** Those of service accounts stand on the pages of these. */
function peoples(tokens: OwnedToken[]): OwnedToken[] {
  return tokens.filter(({ owner }) => !owner.is_service_account)
}

const accountColumns = (): Column<ServiceAccount>[] => [
  {
    key: 'name',
    label: t('admin.api.program'),
    cell: ({ id, name, purpose, is_active, created_by }) => (
      <span className={styles.program}>
        <span className={styles.robot}>
          <Bot size={16} aria-hidden />
        </span>
        <span className={tables.name}>
          <Link to="/api-access/$accountId" params={{ accountId: String(id) }} className="link">
            {name}
          </Link>
          <span className={tables.below}>
            {is_active
              ? [purpose, created_by && t('admin.api.by', { name: created_by.name })].filter(Boolean).join(', ')
              : t('admin.api.stopped')}
          </span>
        </span>
      </span>
    )
  },
  {
    key: 'rights',
    label: t('admin.api.rights'),
    cell: ({ permissions, departments }) => (
      <>
        {allRights()
          .filter(({ slug }) => permissions.includes(slug))
          .map(({ name }) => name)
          .join(', ') || t('admin.api.noRights')}
        {departments && <span className={tables.below}>{departments.map(({ name }) => name).join(', ')}</span>}
      </>
    )
  },
  {
    key: 'tokens',
    label: t('account.tokens'),
    cell: account => <TokenCount account={account} />
  },
  {
    key: 'used',
    label: t('admin.api.lastUsed'),
    cell: account => <LastUse {...account} isIdle={account.token_count > 0 && isUnusedLong(account)} />
  }
]

/** How many tokens it has, and what about them wants an admin: one that ends soon, one that never ends. */
function TokenCount({ account: { token_count: count, token_ends } }: { account: ServiceAccount }) {
  const soonest = token_ends.find(endsSoon)
  if (soonest) {
    const days = Math.ceil((instantOf(soonest).getTime() - Date.now()) / 86_400_000)
    return <span className={styles.amber}>{t('admin.api.oneEnds', { count, days })}</span>
  }
  const isEndless = token_ends.includes(null)
  return isEndless ? (
    <span className={styles.amber}>{t('admin.api.neverEnds', { count })}</span>
  ) : (
    t('admin.api.tokenCount', { count })
  )
}

function LastUse({ last_used_on, isIdle }: { last_used_on: string | null; isIdle: boolean }) {
  return (
    <span className={isIdle ? styles.amber : undefined}>
      {last_used_on ? dayText(instantOf(last_used_on)) : t('account.tokens.neverUsed')}
      {isIdle && <span className={tables.below}>{t('account.tokens.unusedLong')}</span>}
    </span>
  )
}

const tokenColumns = (): Column<OwnedToken>[] => [
  {
    key: 'owner',
    label: t('admin.api.owner'),
    cell: ({ owner }) => (
      <span className={tables.name}>
        {nameOf(owner)}
        <span className={tables.below}>{t(`admin.api.${owner.user_type}`)}</span>
      </span>
    )
  },
  {
    key: 'token',
    label: t('admin.api.token'),
    cell: ({ name, last_four }) => (
      // Together, also where the cell is a line of its own.
      <span>
        {name} <code className={styles.aside}>…{last_four}</code>
      </span>
    )
  },
  {
    key: 'may',
    label: t('admin.api.rights'),
    cell: token => whatItMay(token, allRights(), t('admin.api.everything'))
  },
  {
    key: 'end',
    label: t('account.tokens.end'),
    cell: ({ expires_at }) =>
      expires_at ? (
        <span className={endsSoon(expires_at) ? styles.amber : undefined}>{dateOf(instantOf(expires_at))}</span>
      ) : (
        t('account.tokens.noEnd')
      )
  },
  { key: 'used', label: t('admin.api.lastUsed'), cell: token => <LastUse {...token} isIdle={isUnusedLong(token)} /> }
]

function actionsOn(account: ServiceAccount, open: (open: Open) => void): MenuItem[] {
  return [
    ...(account.is_active
      ? [{ label: t('account.tokens.create'), onSelect: () => open({ what: 'token', account }) }]
      : []),
    account.is_active
      ? { label: t('admin.api.stop'), onSelect: () => open({ what: 'stop', account }) }
      : { label: t('admin.api.start'), onSelect: () => void setActive(account) },
    { kind: 'separator' },
    { label: t('admin.deleteMore'), danger: true, onSelect: () => open({ what: 'delete', account }) }
  ]
}

async function setActive({ id, is_active }: ServiceAccount): Promise<void> {
  await post('/api/admin/service-accounts/update', { id, is_active: is_active ? 0 : 1 })
  await reload()
}
