import type { DataOf } from '@deskline/client'
import { Ban, KeyRound, Play, Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { type ApiToken, EndTokenDialog, endsSoon, NewSecret, TokenText } from '../../../app/account/api-tokens.tsx'
import { ReplaceTokenDialog } from '../../../app/account/replace-token-dialog.tsx'
import { RightsGrid } from '../../../app/account/rights-grid.tsx'
import { type NewToken, TokenDialog } from '../../../app/account/token-dialog.tsx'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { DepartmentChecks } from '../../../app/department-checks.tsx'
import { hasReason } from '../../../app/failures.ts'
import { useForm } from '../../../app/form.ts'
import { type Permission, permissions } from '../../../app/me.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { useParams } from '../../../router/react.tsx'
import { announce } from '../../../ui/announce.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { RowMenu } from '../../../ui/table.tsx'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import { useNavigate } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import { allRights } from '../all-rights.ts'
import { ChangedByOthers } from '../changed-by-others.tsx'
import { UnsavedChangesDialog } from '../unsaved-changes-dialog.tsx'
import styles from './api-access.module.css'
import { LastCalls } from './last-calls.tsx'
import type { ServiceAccount } from './service-account-dialog.tsx'

const detail = '/api/admin/service-accounts/detail'
type Detail = DataOf<typeof detail>

const reload = () => reloadQueries(detail, '/api/admin/service-accounts/list', '/api/admin/tokens/list')

type Open = 'stop' | 'delete' | 'token' | { what: 'replace' | 'end'; token: ApiToken }

/** A service account: what it may and its tokens, beside what it called last. */
export function ServiceAccountPage() {
  const { accountId } = useParams<{ accountId: string }>()
  const id = Number(accountId)
  const query = useApiQuery(detail, { id })
  const departments = useApiQuery('/api/departments', {}).data?.departments
  const [open, setOpen] = useState<Open>()
  const [made, setMade] = useState<NewToken>()
  const [shownAgain, setShownAgain] = useState(0)
  const navigate = useNavigate()
  const account = query.data?.service_account
  const name = account?.name ?? ''
  const close = () => setOpen(undefined)

  async function setActive(is_active: 0 | 1) {
    await post('/api/admin/service-accounts/update', { id, is_active })
    await reload()
    announce(t(is_active ? 'admin.api.isStarted' : 'admin.api.isStopped', { name }))
    close()
  }

  return (
    <AdminPage
      title={account?.name ?? t('admin.api.account')}
      above={{ to: '/api-access', label: t('admin.api') }}
      lede={account && ledeOf(account)}
      actions={
        account && (
          <>
            {account.is_active ? (
              <Button icon={Ban} onClick={() => setOpen('stop')}>
                {t('admin.api.stop')}
              </Button>
            ) : (
              <Button icon={Play} onClick={() => void setActive(1)}>
                {t('admin.api.start')}
              </Button>
            )}
            <RowMenu
              label={t('admin.actionsFor', { name })}
              items={[{ label: t('admin.deleteMore'), danger: true, onSelect: () => setOpen('delete') }]}
            />
          </>
        )
      }
    >
      {made && <NewSecret key={made.token} made={made} onKept={() => setMade(undefined)} />}
      <QueryState query={query}>
        {({ service_account, api_tokens }) => (
          <div className={styles.columns}>
            <div className={styles.stack}>
              {!service_account.is_active && <Banner tone="warn">{t('admin.api.stoppedText')}</Banner>}
              <AccountForm
                key={`${service_account.id} ${shownAgain}`}
                account={service_account}
                departments={departments ?? []}
                onShowTheirs={() => setShownAgain(times => times + 1)}
              />
              <Tokens account={service_account} tokens={api_tokens} onOpen={setOpen} />
            </div>
            <LastCalls id={service_account.id} />
          </div>
        )}
      </QueryState>
      {open === 'stop' && (
        <AsyncConfirmDialog
          title={t('admin.api.stopTitle', { name })}
          text={t('admin.api.stopText')}
          confirmLabel={t('admin.api.stop')}
          keepLabel={t('account.notNow')}
          onConfirm={() => setActive(0)}
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <AsyncConfirmDialog
          title={t('admin.api.deleteTitle', { name })}
          text={t('admin.api.deleteText')}
          confirmLabel={t('admin.api.delete')}
          keepLabel={t('account.notNow')}
          onConfirm={async () => {
            await post('/api/admin/service-accounts/delete', { id })
            announce(t('admin.api.deleted', { name }))
            await navigate({ to: '/api-access' })
            void reload()
          }}
          onClose={close}
        />
      )}
      {open === 'token' && account && (
        <TokenDialog
          rights={allRights(slug => !account.permissions.includes(slug) && t('admin.api.notIts'))}
          departments={account.departments ?? departments}
          onMake={body => post('/api/admin/service-accounts/tokens/create', { id, ...body })}
          onMade={made => {
            setMade(made)
            void reload()
          }}
          onClose={close}
        />
      )}
      {typeof open === 'object' && open.what === 'replace' && (
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
      {typeof open === 'object' && open.what === 'end' && (
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

function ledeOf({ created_by }: ServiceAccount): string {
  return created_by ? t('admin.api.accountLedeBy', { name: created_by.name }) : t('admin.api.accountLede')
}

/** What the form changes of it. */
function contentOf({ name, purpose, permissions, departments }: ServiceAccount): string {
  return JSON.stringify([name, purpose, permissions.toSorted(), departments?.map(({ deptid }) => deptid)])
}

interface AccountFormProps {
  account: ServiceAccount
  departments: readonly { deptid: number; name: string }[]
  onShowTheirs(): void
}

/** Its name, what it is for, its rights and departments, which are saved together. */
function AccountForm({ account, departments, onShowTheirs }: AccountFormProps) {
  const granted = permissions.filter(slug => account.permissions.includes(slug))
  const limitedTo = (account.departments ?? []).map(({ deptid }) => deptid)
  // What is edited. Where only its state was changed since, the later version will do.
  const [base, setBase] = useState(account)
  const [isStale, setStale] = useState(false)
  const [chosen, setChosen] = useState<readonly Permission[]>(granted)
  const [places, setPlaces] = useState<readonly number[]>(limitedTo)
  const form = useForm(
    { name: account.name, purpose: account.purpose ?? '' },
    { check: ({ name }) => ({ name: !name.trim() && t('ui.fieldMissing') }) }
  )
  const sorted = (list: readonly (string | number)[]) => list.toSorted().join()
  const isChanged = form.isChanged || sorted(chosen) !== sorted(granted) || sorted(places) !== sorted(limitedTo)

  /** `over`: whatever others saved meanwhile. */
  async function save(event?: FormEvent, over = false): Promise<boolean> {
    let isSaved = true
    const isDone = await form.submit(async ({ name, purpose }) => {
      const saving = post('/api/admin/service-accounts/update', {
        id: account.id,
        name: name.trim(),
        purpose: purpose.trim() || null,
        permissions: [...chosen],
        departments: places.length > 0 ? [...places] : null,
        ...(over ? {} : { expected_version: (contentOf(account) === contentOf(base) ? account : base).version })
      })
      try {
        setBase((await saving).service_account)
        setStale(false)
      } catch (error) {
        if (!hasReason(error, 'version_conflict')) throw error
        isSaved = false
        setStale(true)
        return
      }
      await reload()
      announce(t('admin.saved'))
    }, event)
    if (isDone && isSaved) form.markSaved()
    return isDone && isSaved
  }

  async function showTheirs() {
    await reload()
    onShowTheirs()
  }

  function discard() {
    form.reset({ name: account.name, purpose: account.purpose ?? '' })
    setChosen(granted)
    setPlaces(limitedTo)
  }

  return (
    <form className={styles.stack} onSubmit={event => void save(event)} noValidate>
      <section className={`card ${styles.body}`}>
        <div className={styles.two}>
          <TextField
            label={t('admin.api.name')}
            hint={t('admin.api.nameHint', { name: form.values.name.trim() || '…' })}
            maxLength={100}
            autoComplete="off"
            {...form.field('name')}
          />
          <TextField
            label={t('admin.api.purpose')}
            maxLength={255}
            optional
            autoComplete="off"
            {...form.field('purpose')}
          />
        </div>
      </section>
      <section className="card" aria-labelledby="its-rights">
        <div className="hd">
          <h2 id="its-rights" className="grow">
            {t('admin.api.mayDo')}
          </h2>
          <span className={styles.aside}>
            {t('admin.api.rightsOf', { count: chosen.length, total: permissions.length })}
          </span>
        </div>
        <div className={styles.body}>
          <RightsGrid rights={allRights()} chosen={chosen} onChange={setChosen} />
          {departments.length > 1 && (
            <fieldset className={styles.choices}>
              <legend>{t('admin.api.departments')}</legend>
              <p className={styles.aside}>{t('admin.api.departmentsHint')}</p>
              <DepartmentChecks departments={departments} chosen={places} onChange={setPlaces} />
            </fieldset>
          )}
        </div>
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
        {isStale && (
          <ChangedByOthers onSaveOver={() => void save(undefined, true)} onShowTheirs={() => void showTheirs()} />
        )}
        {isChanged && (
          <div className={styles.acts}>
            <Button variant="quiet" onClick={discard}>
              {t('admin.discard')}
            </Button>
            <Button variant="primary" type="submit" busy={form.isBusy} busyLabel={t('admin.saving')}>
              {t('admin.save')}
            </Button>
          </div>
        )}
      </section>
      <UnsavedChangesDialog
        hasChanges={isChanged}
        title={t('admin.api.unsaved', { name: account.name })}
        onSave={() => save()}
      />
    </form>
  )
}

interface TokensProps {
  account: ServiceAccount
  tokens: Detail['api_tokens']
  onOpen: (open: Open) => void
}

function Tokens({ account, tokens, onOpen }: TokensProps) {
  return (
    <section className="card" aria-labelledby="its-tokens">
      <div className="hd">
        <h2 id="its-tokens" className="grow">
          {t('account.tokens')}
        </h2>
        {account.is_active === 1 && (
          <Button size="sm" icon={Plus} onClick={() => onOpen('token')}>
            {t('account.tokens.create')}
          </Button>
        )}
      </div>
      {tokens.length === 0 ? (
        <p className={styles.body}>{t('admin.api.accountHasNone')}</p>
      ) : (
        <ul className={styles.rows}>
          {tokens.map(token => (
            <li key={token.id}>
              <KeyRound size={16} aria-hidden />
              <TokenText token={token} rights={allRights()} everything={t('admin.api.everything')} />
              {endsSoon(token.expires_at) && !token.replaced_by && (
                <Button size="sm" onClick={() => onOpen({ what: 'replace', token })}>
                  {t('account.tokens.replace')}
                </Button>
              )}
              <RowMenu
                label={t('account.actionsFor', { name: token.name })}
                items={[
                  ...(token.replaced_by
                    ? []
                    : [
                        {
                          label: t('account.tokens.replace'),
                          onSelect: () => onOpen({ what: 'replace' as const, token })
                        }
                      ]),
                  { label: t('account.end'), danger: true, onSelect: () => onOpen({ what: 'end', token }) }
                ]}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
