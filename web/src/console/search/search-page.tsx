import { Search, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { MorePages } from '../../app/more-pages.tsx'
import { QueryState } from '../../app/query-state.tsx'
import { useApiPages } from '../../app/use-api-pages.ts'
import { useDebounced } from '../../app/use-debounced.ts'
import { t } from '../../lib/strings.ts'
import { Outlet, useParams, useSearch } from '../../router/react.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { PageTitle, useTitle } from '../../ui/page.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { useNavigate } from '../navigation.ts'
import styles from './search.module.css'
import { groupsOf, type Hit, SearchGroup } from './search-hit.tsx'
import { ticketNumberIn } from './ticket-number.ts'

/** The results of a search in tickets, messages, notes and clients, best first, beside the open ticket. */
export function SearchPage() {
  const { q = '' } = useSearch<{ q?: string }>()
  const { ticket } = useParams()
  const navigate = useNavigate()
  const [typed, setTyped] = useState(q)
  const input = useRef<HTMLInputElement>(null)
  const words = useDebounced(typed.trim(), 120)
  const query = useApiPages('/api/admin/search', { query: words, limit: 30 }, { enabled: words !== '' })
  useTitle(words ? `${words} · ${t('clients.search')}` : t('clients.search'))
  useEffect(() => setTyped(q), [q])
  const isEmpty = useRef(q === '' && !ticket)
  // Without words to search for, the field has the focus.
  useEffect(() => {
    if (isEmpty.current) input.current?.focus()
  }, [])

  function search(text: string) {
    setTyped(text)
    void navigate({ to: '/search', search: text.trim() ? { q: text.trim() } : {}, replace: true })
  }

  function jump(event: KeyboardEvent) {
    const number = ticketNumberIn(typed)
    if (event.key === 'Enter' && number)
      void navigate({ to: '/$view/$ticket', params: { view: 'all', ticket: number } })
  }

  return (
    <div className={ticket ? `${styles.search} ${styles.reads}` : styles.search}>
      <section className={styles.found} aria-label={t('clients.searchResults')}>
        <div className={styles.bar}>
          <PageTitle className="visually-hidden">{t('clients.search')}</PageTitle>
          <div className={styles.field}>
            <Search size={16} aria-hidden />
            <input
              ref={input}
              type="search"
              aria-label={t('clients.searchEverything')}
              value={typed}
              maxLength={200}
              onChange={event => search(event.target.value)}
              onKeyDown={jump}
            />
            {typed && <IconButton icon={X} label={t('clients.clear')} onClick={() => search('')} />}
          </div>
          <p className={styles.counted}>
            <span role="status">
              {words && query.data ? t('clients.found', { count: query.data.pages[0]!.total }) : ''}
            </span>
            <span>{t('clients.numberHint')}</span>
          </p>
        </div>
        {words === '' ? (
          <StateMessage icon={Search} title={t('clients.startTyping')} text={t('clients.startTypingText')} />
        ) : (
          <QueryState query={query} skeleton={<Skeleton rows={8} />}>
            {({ pages }) => (
              <Hits
                hits={pages.flatMap(page => page.results)}
                words={words}
                chosen={ticket}
                onSearch={search}
                more={<MorePages pages={query} label={t('clients.showMore')} />}
              />
            )}
          </QueryState>
        )}
      </section>
      <div className={styles.thread}>
        {ticket ? <Outlet /> : <StateMessage icon={Search} title={t('clients.chooseResult')} />}
      </div>
    </div>
  )
}

interface HitsProps {
  hits: Hit[]
  words: string
  chosen: string | undefined
  onSearch: (text: string) => void
  more: ReactNode
}

function Hits({ hits, words, chosen, onSearch, more }: HitsProps) {
  const list = useRef<HTMLUListElement>(null)
  const step = (by: number) => {
    const links = [...(list.current?.querySelectorAll('a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    links[at < 0 ? 0 : Math.max(0, Math.min(links.length - 1, at + by))]?.focus()
  }
  useShortcut('j', t('clients.nextResult'), () => step(1), { group: 'list' })
  useShortcut('k', t('clients.previousResult'), () => step(-1), { group: 'list' })
  const parts = words.split(/\s+/)
  if (hits.length === 0)
    return (
      <StateMessage
        icon={Search}
        title={t('clients.nothingHasAll')}
        text={parts.length > 1 ? t('clients.nothingHasAllText') : undefined}
        action={
          parts.length > 1 ? (
            <span className={styles.parts}>
              {parts.map(part => (
                <Button key={part} variant="quiet" onClick={() => onSearch(part)}>
                  {part}
                </Button>
              ))}
            </span>
          ) : undefined
        }
      />
    )
  return (
    <>
      <ul ref={list}>
        {groupsOf(hits).map(({ key, hits }) => (
          <li key={key} className={styles.group}>
            <SearchGroup hits={hits} words={words} chosen={chosen} />
          </li>
        ))}
      </ul>
      {more}
    </>
  )
}
