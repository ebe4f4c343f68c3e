import { BookOpen, ChevronDown, FilePlus, FolderPlus, Plus, UserSearch } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { useMe } from '../../app/me.ts'
import { MorePages } from '../../app/more-pages.tsx'
import { QueryState } from '../../app/query-state.tsx'
import { useApiPages } from '../../app/use-api-pages.ts'
import { type Key, t } from '../../lib/strings.ts'
import { numberText } from '../../lib/times.ts'
import { Outlet, useParams } from '../../router/react.tsx'
import { buttonClass, IconButton } from '../../ui/button.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { Page, PageTitle } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import list from '../admin/macros/macros.module.css'
import { ListSearch } from '../list-search.tsx'
import { useNavigate } from '../navigation.ts'
import { CategoryDialog } from './category-dialog.tsx'
import { CategoryTree } from './category-tree.tsx'
import styles from './knowledge.module.css'
import { useKnowledgeBase } from './knowledge-base.ts'
import { TrySearch } from './try-search.tsx'
import { WantingTickets } from './wanting-tickets.tsx'

const kinds = {
  all: { label: 'knowledge.all', filter: {} },
  drafts: { label: 'knowledge.drafts', filter: { state: 'draft' } },
  unhelpful: { label: 'knowledge.notHelpful', filter: { not_helpful: 1 } },
  asked: { label: 'knowledge.asked', filter: { publishing_asked: 1 } },
  archived: { label: 'knowledge.archived', filter: { state: 'archived' } },
  wanted: { label: 'knowledge.wanted', filter: {} }
} as const satisfies Record<string, { label: Key; filter: object }>

type Kind = keyof typeof kinds

/** The categories and their articles, beside the editor. */
export function KnowledgePage() {
  const { can } = useMe()
  const { articleId } = useParams<{ articleId?: string }>()
  const [typed, setTyped] = useState('')
  const [kind, setKind] = useState<Kind>('all')
  const [isAdding, setAdding] = useState(false)
  const [isTrying, setTrying] = useState(false)
  const search = useDeferredValue(typed.trim())
  const knowledge = useKnowledgeBase()
  const found = useApiPages('/api/admin/kb/articles/list', {
    limit: 200,
    ...kinds[kind].filter,
    ...(search && { search })
  })
  const numbers = useApiQuery('/api/admin/kb/numbers', {}).data?.numbers
  const counts = numbers && {
    drafts: numbers.articles.draft,
    unhelpful: numbers.articles_not_helpful,
    asked: numbers.articles_asked,
    archived: numbers.articles.archived,
    wanted: numbers.tickets_wanting
  }
  const isSearch = search !== '' || kind !== 'all'
  const title = t('knowledge.knowledge')

  return (
    <Page title={title} width="list">
      <div className={`${list.panes} ${styles.panes}`} data-open={articleId === undefined ? 'list' : 'editor'}>
        <section className={list.list} aria-label={title}>
          <header className="pane-head">
            {articleId === undefined ? <PageTitle>{title}</PageTitle> : <p className={list.paneTitle}>{title}</p>}
            <span className={list.count}>{found.data && numberText(found.data.pages[0]?.total ?? 0)}</span>
            <span className="grow" />
            <NewMenu onCategory={() => setAdding(true)} />
          </header>
          <ListSearch<Kind>
            label={t('knowledge.search')}
            typed={typed}
            onType={setTyped}
            kindsLabel={t('knowledge.kinds')}
            kinds={kinds}
            counts={counts}
            kind={kind}
            onKind={setKind}
          >
            <IconButton icon={UserSearch} label={t('knowledge.trySearch')} onClick={() => setTrying(true)} />
          </ListSearch>
          {kind === 'wanted' ? (
            <WantingTickets mayWrite={can('tickets.reply')} />
          ) : (
            <>
              <QueryState query={knowledge} skeleton={<Skeleton rows={6} />}>
                {({ categories, languages }) => (
                  <QueryState query={found} skeleton={<Skeleton rows={6} />}>
                    {({ pages }) => (
                      <CategoryTree
                        categories={categories}
                        languages={languages}
                        articles={pages.flatMap(({ articles }) => articles)}
                        isWhole={!found.hasNextPage}
                        isSearch={isSearch}
                        chosen={articleId}
                      />
                    )}
                  </QueryState>
                )}
              </QueryState>
              <MorePages pages={found} label={t('knowledge.showMore')} />
            </>
          )}
        </section>
        <section className={styles.editor}>
          {articleId === undefined ? (
            <StateMessage icon={BookOpen} title={t('knowledge.choose')} text={t('knowledge.chooseText')} />
          ) : (
            <Outlet />
          )}
        </section>
        {isAdding && knowledge.data && <CategoryDialog {...knowledge.data} onClose={() => setAdding(false)} />}
        {isTrying && knowledge.data && (
          <TrySearch languages={knowledge.data.languages} typed={search} onClose={() => setTrying(false)} />
        )}
      </div>
    </Page>
  )
}

/** Articles are for those who write, categories for those who publish. */
function NewMenu({ onCategory }: { onCategory(): void }) {
  const { can } = useMe()
  const navigate = useNavigate()
  const write = () => void navigate({ to: '/knowledge/$articleId', params: { articleId: 'new' } })
  const items: MenuItem[] = []
  if (can('tickets.reply')) items.push({ label: t('knowledge.newTitle'), icon: FilePlus, onSelect: write })
  if (can('departments.manage'))
    items.push({ label: t('knowledge.newCategory'), icon: FolderPlus, onSelect: onCategory })
  if (items.length === 0) return null
  return (
    <Menu
      items={items}
      align="end"
      trigger={trigger => (
        <button {...trigger} type="button" className={buttonClass('plain', 'sm')}>
          <Plus size={16} aria-hidden />
          {t('knowledge.new')}
          <ChevronDown size={14} aria-hidden />
        </button>
      )}
    />
  )
}
