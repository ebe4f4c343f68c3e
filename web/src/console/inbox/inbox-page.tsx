import { useApiQuery } from '../../app/api-queries.ts'
import { t } from '../../lib/strings.ts'
import { Outlet } from '../../router/react.tsx'
import { PageTitle, useTitle } from '../../ui/page.tsx'
import { Delayed, Skeleton } from '../../ui/skeleton.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { NotFound } from '../not-found.tsx'
import css from './inbox.module.css'
import { ListPane } from './list-pane.tsx'
import { useInbox } from './use-inbox.ts'

/** The list of a view, alone or beside the open ticket. */
export function InboxPage() {
  const inbox = useInbox()
  const isSaved = inbox.view?.kind === 'saved'
  const views = useApiQuery('/api/admin/views/list', undefined, { enabled: isSaved })
  const isMissing = isSaved && views.data && !inbox.saved
  const { query } = inbox
  // Of unknown addresses this page gets those of one or two words.
  if (!inbox.view) return <NotFound />
  return (
    <div className={css.inbox} data-open={inbox.open !== undefined || undefined}>
      {isMissing ? (
        <Missing />
      ) : query ? (
        <ListPane inbox={inbox} query={query} />
      ) : (
        <section className={css.list} aria-busy="true">
          <Delayed>
            <Skeleton rows={12} />
          </Delayed>
        </section>
      )}
      <Outlet />
    </div>
  )
}

function Missing() {
  useTitle(t('inbox.noSuchView'))
  return (
    <section className={css.list}>
      <PageTitle className="visually-hidden">{t('inbox.noSuchView')}</PageTitle>
      <StateMessage
        kind="404"
        title={t('inbox.noSuchView')}
        text={t('inbox.noSuchViewText')}
        action={{ label: t('inbox.openAll'), href: '/desk/all' }}
      />
    </section>
  )
}
