import type { DataOf } from '@deskline/client'
import { keepPreviousData } from '@tanstack/react-query'
import { ChevronDown, FileText } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { failureText } from '../../app/failures.ts'
import { useDebounced } from '../../app/use-debounced.ts'
import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import { LinkButton } from '../link-button.tsx'
import styles from './articles.module.css'

type Suggested = DataOf<'/api/kb/suggest'>['articles'][number]

const settledMilliseconds = 400
const fewestWords = 3

interface ArticleSuggestionsProps {
  subject: string
  message: string
}

/** Articles that may answer what is being written. They are only counted until the customer opens the list, so that nothing jumps. */
export function ArticleSuggestions({ subject, message }: ArticleSuggestionsProps) {
  const [isSolved, setSolved] = useState(false)
  const words = useDebounced(subject.trim(), settledMilliseconds)
  const more = useDebounced(message.trim().slice(0, 500), settledMilliseconds)
  const isEnough = words.split(/\s+/).length >= fewestWords
  const locale = document.documentElement.lang
  const found = useApiQuery(
    '/api/kb/suggest',
    { subject: words, locale, ...(more && { message: more }) },
    { enabled: isEnough, placeholderData: keepPreviousData, retry: false, gcTime: 0 }
  )
  const articles = isEnough ? (found.data?.articles ?? []) : []

  async function solve({ id, locale }: Suggested) {
    try {
      await post('/api/kb/solved', { article_id: id, locale })
      setSolved(true)
    } catch (error) {
      toast({ text: failureText(error), tone: 'bad' })
    }
  }

  if (isSolved)
    return (
      <section className={styles.suggestions} aria-label={t('portal-ticket.articles')}>
        <p className={styles.line} role="status">
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
      {articles.length > 0 && (
        <details>
          <summary className={styles.line}>
            <FileText size={16} aria-hidden />
            <span>
              {t('portal-ticket.articlesMayHelp', { count: articles.length })}{' '}
              <span className={styles.wide}>{t('portal-ticket.goOnWriting')}</span>
            </span>
            <ChevronDown size={16} aria-hidden />
          </summary>
          <ul>
            {articles.map(article => (
              <li key={article.id}>
                <a href={article.path} target="_blank" rel="noopener" className="link" lang={article.locale}>
                  {article.title}
                </a>
                <Button size="sm" variant="quiet" onClick={() => void solve(article)}>
                  {t('portal-ticket.answeredIt')}
                  <span className="visually-hidden">: {article.title}</span>
                </Button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}
