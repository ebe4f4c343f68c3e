import { Suspense, useEffect } from 'react'
import { useApiQuery, whileEdited } from '../../app/api-queries.ts'
import { lazyPart } from '../../app/lazy-part.ts'
import { QueryState } from '../../app/query-state.tsx'
import { language, loadStrings } from '../../lib/strings.ts'
import { useParams, useSearch } from '../../router/react.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type KnowledgeBase, useKnowledgeBase } from './knowledge-base.ts'

async function loadEditor() {
  const [{ ArticleEditor }] = await Promise.all([import('./article-editor.tsx'), loadStrings('format')])
  return { default: ArticleEditor }
}

/** Its parts are named here, and not in what every page of the console begins with. */
const ArticleEditor = lazyPart(loadEditor)

/** One article in one of its languages, or a new one. */
export function ArticlePage() {
  const { articleId } = useParams<{ articleId: string }>()
  const knowledge = useKnowledgeBase()
  // Beside the article, not after it.
  useEffect(() => {
    loadEditor().catch(() => {})
  }, [])
  return (
    <QueryState query={knowledge} heading="h1">
      {knowledge => (
        <Suspense fallback={<Skeleton rows={6} />}>
          {articleId === 'new' ? (
            <NewArticle knowledge={knowledge} />
          ) : (
            <StoredArticle key={articleId} id={Number(articleId)} knowledge={knowledge} />
          )}
        </Suspense>
      )}
    </QueryState>
  )
}

function NewArticle({ knowledge }: { knowledge: KnowledgeBase }) {
  const {
    language: asked,
    category,
    ticket
  } = useSearch<{
    language?: string
    category?: string | number
    ticket?: string | number
  }>()
  const locale = shownLocale(knowledge.languages, asked)
  const ticketId = Number(ticket)
  if (ticketId > 0) return <FromTicket key={locale} knowledge={knowledge} locale={locale} ticketId={ticketId} />
  return <ArticleEditor key={locale} knowledge={knowledge} locale={locale} categoryId={Number(category) || undefined} />
}

/** A new article that begins with what was written in a ticket. */
function FromTicket({ knowledge, locale, ticketId }: { knowledge: KnowledgeBase; locale: string; ticketId: number }) {
  const draft = useApiQuery('/api/admin/kb/tickets/draft', { ticket_id: ticketId }, whileEdited)
  return (
    <QueryState query={draft} heading="h1">
      {({ draft }) => <ArticleEditor knowledge={knowledge} locale={locale} from={{ ticketId, ...draft }} />}
    </QueryState>
  )
}

function StoredArticle({ id, knowledge }: { id: number; knowledge: KnowledgeBase }) {
  const { language: asked } = useSearch<{ language?: string }>()
  const detail = useApiQuery('/api/admin/kb/articles/detail', { id }, whileEdited)
  return (
    <QueryState query={detail} heading="h1">
      {detail => {
        const locales = [...new Set([...knowledge.languages, ...Object.keys(detail.article.texts)])]
        const written = locales.filter(locale => locale in detail.article.texts)
        const locale = asked && locales.includes(asked) ? asked : shownLocale(written)
        return <ArticleEditor key={locale} knowledge={knowledge} detail={detail} locale={locale} />
      }}
    </QueryState>
  )
}

/** What is asked for, else the language of the pages, else the first. */
function shownLocale(locales: string[], asked?: string): string {
  return locales.find(locale => locale === asked) ?? locales.find(locale => locale === language) ?? locales[0]!
}
