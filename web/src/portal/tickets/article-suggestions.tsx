import type { DataOf } from '@deskline/client'
import { keepPreviousData } from '@tanstack/react-query'
import { BookOpen, ChevronDown, ChevronRight } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { useDebounced } from '../../app/use-debounced.ts'
import type { OpenDraft } from '../../app/use-draft.ts'
import { t } from '../../lib/strings.ts'
import { toast } from '../../ui/toast.tsx'
import { LinkButton } from '../link-button.tsx'
import { ArticlePanel } from './article-panel.tsx'
import styles from './articles.module.css'
import { withRead } from './read-articles.ts'

type Suggested = DataOf<'/api/kb/suggest'>['articles'][number]

const settledMilliseconds = 400
const fewestWords = 3

/** Articles that may answer what is being written. They are only counted until the customer opens the list, so that nothing jumps. */
export function ArticleSuggestions({ draft }: { draft: OpenDraft }) {
  const [isSolved, setSolved] = useState(false)
  const [opened, setOpened] = useState<Suggested>()
  const { text, fields } = draft.draft
  const subject = fields.subject?.trim() ?? ''
  const words = useDebounced(subject, settledMilliseconds)
  const more = useDebounced(text.trim().slice(0, 500), settledMilliseconds)
  const isEnough = words.split(/\s+/).length >= fewestWords
  const locale = document.documentElement.lang
  const found = useApiQuery(
    '/api/kb/suggest',
    { subject: words, locale, ...(more && { message: more }) },
    { enabled: isEnough, placeholderData: keepPreviousData, retry: false, gcTime: 0 }
  )
  const articles = isEnough ? (found.data?.articles ?? []) : []

  function open(event: MouseEvent, article: Suggested) {
    draft.change({ fields: withRead(fields, article.id) })
    // Whoever wants it in another tab gets it there.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    setOpened(article)
  }

  /** The ticket is not needed any more: what was written is discarded, and comes back with "Undo". */
  async function discard({ id, locale }: Suggested) {
    setOpened(undefined)
    setSolved(true)
    const { text, files, fields } = draft.draft
    const undo = () => {
      draft.change({ text, files, fields })
      // What was written is there again, whether or not that is counted.
      post('/api/kb/solved', { article_id: id, locale, is_solved: 0 }).catch(() => {})
    }
    await draft.clear()
    toast({ text: t('portal-ticket.solvedThanks'), undo })
  }

  if (isSolved && subject === '' && text.trim() === '')
    return (
      <section className={styles.suggestions} aria-label={t('portal-ticket.articles')}>
        <p className={styles.line}>
          <span>{t('portal-ticket.solvedThanks')}</span>
          <LinkButton to="/" size="sm">
            {t('portal.myTickets')}
          </LinkButton>
        </p>
      </section>
    )
  return (
    <section className={styles.suggestions} aria-label={t('portal-ticket.articles')} data-found={articles.length > 0}>
      <p className="visually-hidden" role="status">
        {articles.length > 0 && t('portal-ticket.articlesMayHelp', { count: articles.length })}
      </p>
      {articles.length > 0 ? (
        <details>
          <summary className={styles.line}>
            <BookOpen size={16} aria-hidden />
            <span>
              {t('portal-ticket.articlesMayHelp', { count: articles.length })}{' '}
              <span className={styles.wide}>{t('portal-ticket.goOnWriting')}</span>
            </span>
            <ChevronDown size={16} aria-hidden />
          </summary>
          <ul>
            {articles.map(article => (
              <li key={article.id}>
                <a
                  href={article.path}
                  target="_blank"
                  rel="noopener"
                  aria-haspopup="dialog"
                  onClick={event => open(event, article)}
                >
                  <bdi lang={article.locale}>{article.title}</bdi>
                  {article.is_other_language === 1 && (
                    <small>{t('portal-ticket.articleInLanguage', { language: languageName(article.locale) })}</small>
                  )}
                  <ChevronRight size={16} aria-hidden />
                </a>
              </li>
            ))}
          </ul>
        </details>
      ) : (
        <p className={styles.line}>{t('portal-ticket.articlesOffered')}</p>
      )}
      {opened && (
        <ArticlePanel article={opened} onSolved={() => void discard(opened)} onClose={() => setOpened(undefined)} />
      )}
    </section>
  )
}

function languageName(locale: string): string {
  return new Intl.DisplayNames([document.documentElement.lang], { type: 'language' }).of(locale) ?? locale
}
