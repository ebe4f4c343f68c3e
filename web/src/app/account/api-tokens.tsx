import type { DataOf } from '@deskline/client'
import { Copy, KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../lib/strings.ts'
import { dateOf, dayInText, instantOf } from '../../lib/times.ts'
import { useBlocker } from '../../lib/use-blocker.ts'
import { announce } from '../../ui/announce.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { RowMenu } from '../../ui/table.tsx'
import { post } from '../api-client.ts'
import { useApiQuery } from '../api-queries.ts'
import { copyText } from '../copy-text.ts'
import { useForm } from '../form.ts'
import { FormDialog } from '../form-dialog.tsx'
import { QueryState } from '../query-state.tsx'
import { reloadQueries } from '../reload-queries.ts'
import styles from './account.module.css'
import { useNeedsProof } from './proof-fields.tsx'
import { ReplaceTokenDialog } from './replace-token-dialog.tsx'
import type { Right } from './rights-grid.tsx'
import { type Department, type NewToken, TokenDialog } from './token-dialog.tsx'

const list = '/api/account/tokens/list'
export type ApiToken = DataOf<typeof list>['api_tokens'][number]

interface ApiTokensProps {
  rights?: readonly Right[]
  departments?: readonly Department[] | undefined
}

/** The API tokens of the signed-in person, with the rights and departments that one may give to a token; clients give none. */
export function ApiTokens({ rights = [], departments }: ApiTokensProps) {
  const tokens = useApiQuery(list, {})
  const needsProof = useNeedsProof()
  const most = tokens.data?.most ?? 0
  const isFull = tokens.data !== undefined && tokens.data.total >= most
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<NewToken>()
  const [ending, setEnding] = useState<ApiToken>()
  const [renaming, setRenaming] = useState<ApiToken>()
  const [replacing, setReplacing] = useState<ApiToken>()

  return (
    <div className={styles.part}>
      {made && <NewSecret key={made.token} made={made} onKept={() => setMade(undefined)} />}
      <QueryState query={tokens}>
        {({ api_tokens }) =>
          api_tokens.length > 0 && (
            <ul className={styles.sessions}>
              {api_tokens.map(token => (
                <li key={token.id}>
                  <KeyRound size={16} aria-hidden />
                  <TokenText token={token} rights={rights} everything={t('account.tokens.everything')} />
                  <RowMenu
                    label={t('account.actionsFor', { name: token.name })}
                    items={[
                      ...(token.replaced_by || tokens.data?.may_make === 0
                        ? []
                        : [
                            { label: t('account.tokens.rename'), onSelect: () => setRenaming(token) },
                            { label: t('account.tokens.replace'), onSelect: () => setReplacing(token) }
                          ]),
                      { label: t('account.end'), danger: true, onSelect: () => setEnding(token) }
                    ]}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
      {tokens.data?.may_make === 0 ? (
        <p className={styles.hint}>{t('account.tokens.notAllowed')}</p>
      ) : (
        <div className="row-x wrap">
          <Button
            icon={Plus}
            disabled={isFull}
            reason={isFull ? t('account.tokens.tooMany', { most }) : undefined}
            onClick={() => setMaking(true)}
          >
            {t('account.tokens.create')}
          </Button>
          {tokens.data && (
            <span className={styles.hint}>
              {t('account.tokens.count', { count: tokens.data.total, most })}
              {needsProof && ` ${t('account.tokens.passwordFirst')}`}
            </span>
          )}
        </div>
      )}
      {isMaking && (
        <TokenDialog
          rights={rights}
          departments={departments}
          longestDays={tokens.data?.longest_days ?? null}
          onMake={body => post('/api/account/tokens/create', body)}
          onMade={made => {
            setMade(made)
            void reloadQueries(list)
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {renaming && <RenameTokenDialog token={renaming} onClose={() => setRenaming(undefined)} />}
      {replacing && (
        <ReplaceTokenDialog
          token={replacing}
          onReplace={body => post('/api/account/tokens/replace', body)}
          onReplaced={async made => {
            setMade(made)
            await reloadQueries(list)
          }}
          onClose={() => setReplacing(undefined)}
        />
      )}
      {ending && (
        <EndTokenDialog
          name={ending.name}
          onEnd={async () => {
            await post('/api/account/tokens/revoke', { id: ending.id })
            await reloadQueries(list)
          }}
          onClose={() => setEnding(undefined)}
        />
      )}
    </div>
  )
}

interface TokenTextProps {
  token: ApiToken
  rights: readonly Right[]
  /** What it says of a token that may all that its owner may. */
  everything: string
}

/** Its name and last characters, what it may, when it ends and was last used. */
export function TokenText({ token, rights, everything }: TokenTextProps) {
  const { name, last_four, expires_at, last_used_on, last_used_network, replaced_by } = token
  const isUnused = isUnusedLong(token)
  const used = last_used_on
    ? t('account.tokens.used', { day: dayInText(instantOf(last_used_on)), network: last_used_network ?? '' })
    : t('account.tokens.neverUsed')
  return (
    <div className={styles.sessionText}>
      <p>
        {name} <code className={styles.hint}>…{last_four}</code>{' '}
        {replaced_by && <Badge>{t('account.tokens.isReplaced')}</Badge>}
        {!replaced_by && endsSoon(expires_at) && <Badge tone="amber">{t('account.tokens.endsSoon')}</Badge>}
      </p>
      <p className={styles.hint}>{whatItMay(token, rights, everything)}</p>
      <p className={styles.hint} data-amber={isUnused || undefined}>
        {expires_at ? endText(expires_at) : t('account.tokens.noEnd')} · {used}
        {isUnused && ` · ${t('account.tokens.unusedLong')}`}
      </p>
    </div>
  )
}

/** Within the two weeks before its end, when an e-mail tells of it as well. */
export function endsSoon(expires_at: string | null): boolean {
  if (!expires_at) return false
  const left = instantOf(expires_at).getTime() - Date.now()
  return left > 0 && left <= 14 * 86_400_000
}

type Life = Pick<ApiToken, 'last_used_on' | 'created_at'> & Partial<Pick<ApiToken, 'expires_at' | 'replaced_by'>>

const unusedMilliseconds = 90 * 86_400_000

/** Not used for 90 days, or never since it was made so long ago; one that has ended is not told of. */
export function isUnusedLong({ expires_at, last_used_on, created_at, replaced_by }: Life): boolean {
  if (replaced_by || (expires_at && instantOf(expires_at).getTime() <= Date.now())) return false
  return Date.now() - instantOf(last_used_on ?? created_at).getTime() > unusedMilliseconds
}

function endText(expires_at: string): string {
  const end = instantOf(expires_at)
  const day = dateOf(end)
  return end.getTime() <= Date.now() ? t('account.tokens.ended', { day }) : t('account.tokens.ends', { day })
}

export function whatItMay(
  { permissions, departments, addresses, read_only }: ApiToken,
  rights: readonly Right[],
  everything: string
): string {
  const nameOf = (slug: string) => rights.find(right => right.slug === slug)?.name ?? slug
  const may = permissions ? permissions.map(nameOf).join(', ') : everything
  const where = departments?.map(({ name }) => name).join(', ')
  return [
    read_only === 1 && t('account.tokens.onlyReads'),
    may,
    where,
    addresses && t('account.tokens.from', { addresses: addresses.join(', ') })
  ]
    .filter(Boolean)
    .join(' · ')
}

/** The secret of a new token, once: until one says that one has kept it. Leaving before asks. */
export function NewSecret({ made, onKept }: { made: NewToken; onKept: () => void }) {
  const { isBlocked, proceed, stay } = useBlocker(true)
  return (
    <section className={styles.newSecret} aria-label={t('account.tokens.new')}>
      <p className={styles.name}>{t('account.tokens.ready', { name: made.api_token.name })}</p>
      <div className={styles.secret}>
        <code>{made.token}</code>
        <Button icon={Copy} onClick={() => void copyText(made.token)}>
          {t('account.copy')}
        </Button>
      </div>
      <div className={styles.line}>
        <p className={styles.hint}>{t('account.tokens.onlyDigest')}</p>
        <Button variant="primary" onClick={onKept}>
          {t('account.tokens.kept')}
        </Button>
      </div>
      {isBlocked && (
        <ConfirmDialog
          title={t('account.tokens.leaveTitle', { name: made.api_token.name })}
          text={t('account.tokens.leaveText')}
          confirmLabel={t('account.tokens.leave')}
          keepLabel={t('account.tokens.stay')}
          onConfirm={proceed}
          onClose={stay}
        />
      )}
    </section>
  )
}

function RenameTokenDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const form = useForm(
    { name: token.name },
    {
      reasons: { token_name_taken: { name: t('account.tokens.nameTaken') } },
      check: ({ name }) => ({ name: !name.trim() && t('ui.fieldMissing') })
    }
  )
  return (
    <FormDialog
      title={t('account.tokens.renameTitle', { name: token.name })}
      form={form}
      saveLabel={t('account.save')}
      keepLabel={t('account.notNow')}
      onSave={async ({ name }) => {
        await post('/api/account/tokens/rename', { id: token.id, name: name.trim() })
        await reloadQueries(list)
      }}
      onClose={onClose}
    >
      <TextField label={t('account.tokens.name')} maxLength={60} autoComplete="off" {...form.field('name')} />
    </FormDialog>
  )
}

interface EndTokenDialogProps {
  name: string
  onEnd: () => Promise<unknown>
  onClose: () => void
}

export function EndTokenDialog({ name, onEnd, onClose }: EndTokenDialogProps) {
  const form = useForm({})
  return (
    <ConfirmDialog
      title={t('account.tokens.endTitle', { name })}
      text={t('account.tokens.endText')}
      confirmLabel={t('account.end')}
      keepLabel={t('account.notNow')}
      tone="confirm"
      busy={form.isBusy}
      error={form.failure}
      onConfirm={() =>
        void form.submit(async () => {
          await onEnd()
          announce(t('account.tokens.isEnded', { name }))
          onClose()
        })
      }
      onClose={onClose}
    />
  )
}
