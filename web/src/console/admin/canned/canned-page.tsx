import { MessageSquareText, Plus, Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { t } from '../../../lib/strings.ts'
import { numberText } from '../../../lib/times.ts'
import { useSearch } from '../../../router/react.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Page, PageTitle } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { Link, useNavigate } from '../../navigation.ts'
import styles from './canned.module.css'
import { CannedEditor, type CannedReply } from './canned-editor.tsx'

/** The shared and personal canned replies, beside the editor. */
export function CannedPage() {
  const navigate = useNavigate()
  const { reply } = useSearch<{ reply?: number | 'new' }>()
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const replies = useApiQuery('/api/admin/canned-replies/list', { limit: 1000 })
  const found = useApiQuery(
    '/api/admin/canned-replies/list',
    { limit: 1000, ...(search && { search }) },
    { placeholderData: former => former }
  )
  const open = (which: number | 'new' | undefined) =>
    navigate({ to: '/canned', search: which === undefined ? {} : { reply: which } })
  const chosen = replies.data?.canned_replies.find(({ id }) => id === reply)

  return (
    <Page title={t('admin.cannedReplies')} width="list">
      <div className={styles.panes} data-open={reply === undefined ? 'list' : 'editor'}>
        <section className={styles.list}>
          <header className="pane-head">
            {reply === undefined ? (
              <PageTitle>{t('admin.cannedReplies')}</PageTitle>
            ) : (
              <p className={styles.paneTitle}>{t('admin.cannedReplies')}</p>
            )}
            <span className={styles.count}>{replies.data && numberText(replies.data.total)}</span>
            <span className="grow" />
            <Button size="sm" icon={Plus} onClick={() => void open('new')}>
              {t('admin.newReply')}
            </Button>
          </header>
          <div className={styles.search}>
            <Search size={14} aria-hidden />
            <input
              type="search"
              className="input"
              aria-label={t('admin.searchReplies')}
              placeholder={t('admin.searchReplies')}
              value={typed}
              onChange={event => setTyped(event.target.value)}
            />
          </div>
          <QueryState query={found} skeleton={<Skeleton rows={6} />}>
            {({ canned_replies }) => <Replies replies={canned_replies} chosen={reply} isSearch={search !== ''} />}
          </QueryState>
        </section>
        <section className={styles.editor}>
          {reply === 'new' && (
            <CannedEditor key="new" onSaved={id => void open(id)} onLeft={() => void open(undefined)} />
          )}
          {chosen && (
            <CannedEditor
              key={`${chosen.id}-${chosen.version}`}
              reply={chosen}
              onSaved={() => undefined}
              onLeft={() => void open(undefined)}
            />
          )}
          {reply !== 'new' && replies.data && !chosen && (
            <StateMessage
              icon={MessageSquareText}
              heading={reply === undefined ? 'p' : 'h1'}
              title={reply === undefined ? t('admin.chooseReply') : t('admin.replyGone')}
              text={t('admin.chooseReplyText')}
            />
          )}
        </section>
      </div>
    </Page>
  )
}

interface RepliesProps {
  replies: CannedReply[]
  chosen: number | 'new' | undefined
  isSearch: boolean
}

function Replies({ replies, chosen, isSearch }: RepliesProps) {
  if (replies.length === 0)
    return (
      <StateMessage
        title={isSearch ? t('admin.noReplyFound') : t('admin.noReplies')}
        text={isSearch ? t('admin.noReplyFoundText') : t('admin.noRepliesText')}
      />
    )
  return (
    <ul className={styles.replies}>
      {replies.map(({ id, title, text, is_shared }) => (
        <li key={id}>
          <Link
            to="/canned"
            search={{ reply: id }}
            className={styles.reply}
            aria-current={id === chosen ? 'page' : undefined}
          >
            <span className={styles.title}>
              <bdi>{title}</bdi>
              {!is_shared && <Badge>{t('admin.onlyMe')}</Badge>}
            </span>
            <bdi className={styles.snippet}>{text.slice(0, 120)}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  )
}
