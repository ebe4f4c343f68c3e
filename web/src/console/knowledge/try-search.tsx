import { useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { QueryState } from '../../app/query-state.tsx'
import { useDebounced } from '../../app/use-debounced.ts'
import { language, t } from '../../lib/strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { SegmentedControl } from '../../ui/form-controls.tsx'
import { SearchSnippet } from '../../ui/search-snippet.tsx'
import { Link } from '../navigation.ts'
import styles from './knowledge.module.css'
import { type Audience, audiences, languageName } from './knowledge-base.ts'

interface TrySearchProps {
  languages: string[]
  /** What is typed above the list. */
  typed: string
  onClose(): void
}

/** Searches the help centre as its readers would: what each audience finds in a language, and in which order. */
export function TrySearch({ languages, typed, onClose }: TrySearchProps) {
  const [words, setWords] = useState(typed)
  const [as, setAs] = useState<Audience>('clients')
  const [locale, setLocale] = useState(languages.find(each => each === language) ?? languages[0]!)
  return (
    <Dialog title={t('knowledge.trySearch')} open onClose={onClose} size={620}>
      <div className={styles.trial}>
        <TextField
          label={t('knowledge.trySearchWords')}
          type="search"
          maxLength={255}
          value={words}
          onChange={setWords}
        />
        <div>
          <SegmentedControl
            label={t('knowledge.trySearchAs')}
            options={audiences.map(value => ({ value, label: t(`knowledge.as.${value}`) }))}
            value={as}
            onChange={setAs}
          />
          {languages.length > 1 && (
            <SegmentedControl
              label={t('knowledge.language')}
              options={languages.map(value => ({ value, label: languageName(value) }))}
              value={locale}
              onChange={setLocale}
            />
          )}
        </div>
        <Found words={useDebounced(words.trim(), 250)} as={as} locale={locale} onLeave={onClose} />
      </div>
    </Dialog>
  )
}

interface FoundProps {
  words: string
  as: Audience
  locale: string
  onLeave(): void
}

function Found({ words, as, locale, onLeave }: FoundProps) {
  const found = useApiQuery('/api/kb/search', { search: words, as, locale }, { enabled: words !== '', retry: false })
  if (words === '') return null
  return (
    <QueryState query={found}>
      {({ articles, total }) => (
        <>
          <p className="muted small" role="status">
            {t('knowledge.trySearchFound', { count: total, who: t(`knowledge.as.${as}`) })}
          </p>
          <ol>
            {articles.map(({ id, title, snippet, locale: shown, is_other_language }) => (
              <li key={id}>
                <Link to="/knowledge/$articleId" params={{ articleId: String(id) }} onClick={onLeave}>
                  <bdi lang={shown}>{title}</bdi>
                </Link>
                {is_other_language === 1 && <small className="muted"> {languageName(shown)}</small>}
                <p className="muted small" lang={shown}>
                  <SearchSnippet text={snippet} />
                </p>
              </li>
            ))}
          </ol>
        </>
      )}
    </QueryState>
  )
}
