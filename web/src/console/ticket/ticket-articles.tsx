import type { DataOf } from '@deskline/client'
import { BookOpen, PenLine, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { post, queryClient } from '../../app/api-client.ts'
import { queryKeyOf, useApiQuery } from '../../app/api-queries.ts'
import { failureText } from '../../app/failures.ts'
import { can } from '../../app/me.ts'
import { useDebounced } from '../../app/use-debounced.ts'
import { t } from '../../lib/strings.ts'
import { IconButton } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/form-controls.tsx'
import { Picker } from '../../ui/picker.tsx'
import { toast } from '../../ui/toast.tsx'
import { Link } from '../navigation.ts'
import styles from './linked-tickets.module.css'

const path = '/api/admin/kb/tickets/detail'
type TicketArticles = DataOf<typeof path>

/** The articles that a ticket links, the one that solved it, and whether one ought to be written. */
export function TicketArticles({ ticketId: ticket_id }: { ticketId: number }) {
  const { data } = useApiQuery(path, { ticket_id }, { staleTime: 30_000 })
  const mayChange = can('tickets.reply')
  if (!data || (!mayChange && data.articles.length === 0)) return null

  const key = queryKeyOf(path, { ticket_id })

  /** `wanted` is shown until the answer is there. */
  async function change(sent: Promise<TicketArticles>, wanted: Partial<TicketArticles> = {}) {
    queryClient.setQueryData(key, { ...data, ...wanted })
    try {
      queryClient.setQueryData(key, await sent)
    } catch (error) {
      queryClient.setQueryData(key, data)
      toast({ text: failureText(error), tone: 'bad' })
    }
  }
  const setSolved = (article_id: number, is_solved: 0 | 1) =>
    void change(post('/api/admin/kb/tickets/solved-by', { ticket_id, article_id, is_solved }))

  const setNeeded = (needed: 0 | 1) =>
    void change(post('/api/admin/kb/tickets/needs-article', { ticket_id, is_needed: needed }), {
      needs_article: needed
    })

  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <h3>{t('articles.heading')}</h3>
        {mayChange && <SolvedBy onChoose={id => setSolved(id, 1)} />}
      </div>
      <ul>
        {data.articles.map(({ id, title, how, state }) => (
          <li key={`${how} ${id}`} className={styles.row}>
            <BookOpen size={16} aria-hidden />
            <Link to="/knowledge/$articleId" params={{ articleId: String(id) }} className={styles.ticket}>
              <bdi className={styles.subject}>{title}</bdi>
              <span className={styles.relation}>
                {t(`articles.how.${how}`)}
                {state === 'draft' && ` · ${t('articles.draftOnly')}`}
              </span>
            </Link>
            {mayChange && how === 'solved' && (
              <IconButton
                icon={X}
                label={t('articles.remove', { title })}
                className={styles.remove!}
                onClick={() => setSolved(id, 0)}
              />
            )}
          </li>
        ))}
      </ul>
      {mayChange && (
        <>
          <Checkbox
            label={t('articles.needs')}
            checked={data.needs_article === 1}
            onChange={isNeeded => setNeeded(isNeeded ? 1 : 0)}
          />
          <Link
            to="/knowledge/$articleId"
            params={{ articleId: 'new' }}
            search={{ ticket: ticket_id }}
            className={`link ${styles.write}`}
          >
            <PenLine size={14} aria-hidden />
            {t('articles.write')}
          </Link>
        </>
      )}
    </section>
  )
}

/** Chooses the article that solved it, drafts too. */
function SolvedBy({ onChoose }: { onChoose(id: number): void }) {
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const search = useDebounced(typed.trim(), 150)
  const found = useApiQuery(
    '/api/admin/kb/articles/list',
    { limit: 10, ...(search && { search }) },
    { enabled: isOpen, placeholderData: former => former }
  )
  return (
    <Picker
      label={t('articles.solvedByLabel')}
      placeholder={t('articles.find')}
      align="end"
      emptyText={t('articles.noneFound')}
      trigger={trigger => <IconButton {...trigger} icon={Plus} label={t('articles.solvedBy')} />}
      onOpen={() => {
        setOpen(true)
        setTyped('')
      }}
      onSearch={setTyped}
      items={(found.data?.articles ?? []).map(({ id, title, state }) => ({
        id,
        label: title,
        icon: <BookOpen size={16} aria-hidden />,
        ...(state === 'draft' && { hint: t('articles.draftOnly') })
      }))}
      onChange={onChoose}
    />
  )
}
