import type { DataOf } from '@deskline/client'
import { Lock, MessageSquareText, Plus, Zap } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useApiQuery, whileEdited } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { type Key, t } from '../../../lib/strings.ts'
import { numberText } from '../../../lib/times.ts'
import { Outlet, useParams } from '../../../router/react.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Page, PageTitle } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { ListSearch } from '../../list-search.tsx'
import { Link, useNavigate } from '../../navigation.ts'
import styles from './macros.module.css'

export type Macro = DataOf<'/api/admin/macros/list'>['macros'][number]

const kinds = {
  all: { label: 'macros.all', fits: () => true },
  changes: { label: 'macros.withChanges', fits: ({ actions }) => actions.length > 0 },
  text: { label: 'macros.textOnly', fits: ({ actions }) => actions.length === 0 },
  mine: { label: 'macros.onlyMine', fits: ({ is_shared }) => !is_shared }
} as const satisfies Record<string, { label: Key; fits: (macro: Macro) => boolean }>

type Kind = keyof typeof kinds

/** The shared and personal macros, beside the editor. */
export function MacrosPage() {
  const navigate = useNavigate()
  const { macroId } = useParams<{ macroId?: string }>()
  const [typed, setTyped] = useState('')
  const [kind, setKind] = useState<Kind>('all')
  const search = useDeferredValue(typed.trim())
  const macros = useApiQuery('/api/admin/macros/list', { limit: 1000 }, whileEdited)
  const found = useApiQuery(
    '/api/admin/macros/list',
    { limit: 1000, ...(search && { search }) },
    { placeholderData: former => former }
  )

  return (
    <Page title={t('macros.macros')} width="list">
      <div className={styles.panes} data-open={macroId === undefined ? 'list' : 'editor'}>
        <section className={styles.list} aria-label={t('macros.macros')}>
          <header className="pane-head">
            {macroId === undefined ? (
              <PageTitle>{t('macros.macros')}</PageTitle>
            ) : (
              <p className={styles.paneTitle}>{t('macros.macros')}</p>
            )}
            <span className={styles.count}>{macros.data && numberText(macros.data.total)}</span>
            <span className="grow" />
            <Button
              size="sm"
              icon={Plus}
              onClick={() => void navigate({ to: '/macros/$macroId', params: { macroId: 'new' } })}
            >
              {t('macros.new')}
            </Button>
          </header>
          <ListSearch<Kind>
            label={t('macros.search')}
            typed={typed}
            onType={setTyped}
            kindsLabel={t('macros.kinds')}
            kinds={kinds}
            kind={kind}
            onKind={setKind}
          />
          <QueryState query={found} skeleton={<Skeleton rows={6} />}>
            {({ macros }) => (
              <Macros
                macros={macros.filter(macro => kinds[kind].fits(macro))}
                chosen={macroId}
                isSearch={search !== '' || kind !== 'all'}
              />
            )}
          </QueryState>
        </section>
        <section className={styles.editor}>
          {macroId === undefined ? (
            <StateMessage icon={MessageSquareText} title={t('macros.choose')} text={t('macros.chooseText')} />
          ) : (
            <Outlet />
          )}
        </section>
      </div>
    </Page>
  )
}

interface MacrosProps {
  macros: Macro[]
  chosen: string | undefined
  isSearch: boolean
}

function Macros({ macros, chosen, isSearch }: MacrosProps) {
  if (macros.length === 0)
    return (
      <StateMessage
        title={isSearch ? t('macros.noneFound') : t('macros.noneYet')}
        text={isSearch ? t('macros.noneFoundText') : t('macros.noneYetText')}
      />
    )
  return (
    <ul>
      {macros.map(macro => (
        <li key={macro.id}>
          <MacroRow macro={macro} isChosen={String(macro.id) === chosen} />
        </li>
      ))}
    </ul>
  )
}

function MacroRow({ macro, isChosen }: { macro: Macro; isChosen: boolean }) {
  const { id, name, actions, reply_text, is_shared, attention, missing_permissions: missing } = macro
  return (
    <Link
      to="/macros/$macroId"
      params={{ macroId: String(id) }}
      className={styles.macro}
      aria-current={isChosen ? 'page' : undefined}
    >
      <span className={styles.title}>
        <bdi>{name}</bdi>
        {attention.length > 0 && <Badge tone="amber">{t('macros.needsAttention')}</Badge>}
        {!is_shared && <Badge>{t('macros.onlyMe')}</Badge>}
        {actions.length > 0 && (
          <span className={styles.changes}>
            <Zap size={14} aria-hidden />
            <span aria-hidden>{numberText(actions.length)}</span>
            <span className="visually-hidden">{t('macros.changes', { count: actions.length })}</span>
          </span>
        )}
        {missing.length > 0 && (
          <span className={styles.changes}>
            <Lock size={14} aria-hidden />
            <span className="visually-hidden">{t('macros.needs', { permissions: missing.join(', ') })}</span>
          </span>
        )}
      </span>
      <bdi className={styles.snippet}>{reply_text === '' ? t('macros.noText') : reply_text.slice(0, 120)}</bdi>
    </Link>
  )
}
