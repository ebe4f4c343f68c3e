import { BookOpen, Lock, UserCheck } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { failureText } from '../../app/failures.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import { useDebounced } from '../../app/use-debounced.ts'
import { t } from '../../lib/strings.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { toast } from '../../ui/toast.tsx'
import styles from './article-picker.module.css'
import type { MessageKind } from './send-message.ts'
import { type Suggestion, SuggestionList, useSuggestions } from './suggestions.tsx'
import type { Detail } from './thread-types.ts'

interface ArticlePickerProps {
  detail: Detail
  kind: MessageKind
  onInsert(text: string): void
  /** By Esc, which leads back to the text. */
  onClose(): void
  /** The focus went elsewhere. */
  onLeave(): void
}

const icons = { public: BookOpen, clients: UserCheck, staff: Lock } as const
const mostFound = 10

/** Finds an article for the text: Enter puts in its title and address, Ctrl Enter the whole of it. It begins with the subject of the ticket. */
export function ArticlePicker({ detail, kind, onInsert, onClose, onLeave }: ArticlePickerProps) {
  const { id, client, subject } = detail.ticket
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim(), 200)
  const isTyped = search !== ''
  const found = useApiQuery(
    '/api/kb/search',
    { search, limit: mostFound },
    { enabled: isTyped, placeholderData: former => former, retry: false }
  )
  const fitting = useApiQuery('/api/kb/suggest', { subject }, { enabled: !isTyped, retry: false })
  const isReply = kind === 'reply'
  const articles = isTyped ? (found.data?.articles ?? []) : (fitting.data?.articles ?? []).map(withCategory)
  const options = articles
    .map(article => {
      const { id, title, audience, snippet } = article
      const isLocked = isReply && audience === 'staff'
      const Icon = icons[audience]
      return {
        ...{ id, title, isLocked, mark: t(`articles.for.${audience}`), icon: <Icon size={16} aria-hidden /> },
        line: isLocked ? t('articles.forStaff', { name: client.first_name }) : snippet.replaceAll(/[⟦⟧]/g, '')
      }
    })
    .toSorted((one, other) => Number(one.isLocked) - Number(other.isLocked))

  async function choose({ id: article_id }: Suggestion, isWhole: boolean) {
    try {
      const { article } = await post('/api/admin/kb/insert', { article_id, ticket_id: id, as: kind })
      void reloadQueries('/api/admin/kb/tickets/detail')
      onInsert(isWhole ? wholeText(article.markdown) : `${article.title}: ${article.url}`)
    } catch (error) {
      toast({ text: failureText(error), tone: 'bad' })
    }
  }

  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const list = useSuggestions({ isOpen: true, options, onChoose: option => void choose(option, false), onClose })

  function onKeyDown(event: KeyboardEvent) {
    const active = options[list.active]
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      event.stopPropagation()
      if (active && !active.isLocked) void choose(active, true)
    } else if (event.key !== 'Tab') list.takeKey(event)
  }

  const label = (
    <span className={styles.find}>
      <input
        ref={field}
        type="search"
        role="combobox"
        aria-expanded
        aria-label={t('articles.find')}
        placeholder={t('articles.find')}
        className="input"
        maxLength={255}
        value={typed}
        onChange={event => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={onLeave}
        {...list.areaProps}
      />
      <span className={styles.keys} aria-hidden>
        <Kbd keys="Enter" /> {t('articles.link')} <Kbd keys="Ctrl Enter" /> {t('articles.text')}
      </span>
    </span>
  )
  const isLooking = isTyped ? found.isPending : fitting.isPending
  return (
    <SuggestionList
      id={list.id}
      isWide
      active={list.active}
      name={t('articles.list')}
      label={label}
      options={options}
      emptyText={t(isLooking ? 'thread.looking' : isTyped ? 'articles.noneFound' : 'articles.noneFits')}
      onChoose={option => void choose(option, false)}
    />
  )
}

/** Without words to be found it stands where it is kept. */
function withCategory<Article extends { category: { name: string } }>(article: Article) {
  return { ...article, snippet: article.category.name }
}

/** A message has no pictures of the help centre: each becomes a link. */
function wholeText(markdown: string): string {
  return markdown.replaceAll(
    /!\[([^\]]*)\]\((\/help\/files\/[^)\s]+)[^)]*\)/g,
    (_, words: string, path: string) => `[${words || path}](${location.origin}${path})`
  )
}
