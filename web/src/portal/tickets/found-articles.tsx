import { keepPreviousData } from '@tanstack/react-query'
import { useApiQuery } from '../../app/api-queries.ts'
import { t } from '../../lib/strings.ts'
import { SearchSnippet } from '../../ui/search-snippet.tsx'
import styles from './my-tickets.module.css'

const most = 5

/** The articles of the help centre with these words, under the tickets. */
export function FoundArticles({ words }: { words: string }) {
  const { data } = useApiQuery(
    '/api/kb/search',
    { search: words, locale: document.documentElement.lang, limit: most },
    { placeholderData: keepPreviousData, retry: false }
  )
  if (!data || data.articles.length === 0) return null
  return (
    <section className={styles.articles} aria-labelledby="found-articles">
      <h2 id="found-articles" className={styles.found}>
        {t('portal.helpArticles')}
      </h2>
      <ul className="card">
        {data.articles.map(({ id, title, path, snippet, locale }) => (
          <li key={id}>
            <a href={path} className={styles.row} lang={locale}>
              <span className={styles.what}>
                <bdi className={styles.subject}>{title}</bdi>
                <bdi className={styles.sub}>
                  <SearchSnippet text={snippet} />
                </bdi>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
