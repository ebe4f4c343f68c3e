import { ListFilter } from 'lucide-react'
import { t } from '../../lib/strings.ts'
import { StateMessage } from '../../ui/state-message.tsx'
import { useNavigate } from '../navigation.ts'
import css from './inbox.module.css'
import { isFiltered } from './queue-search.ts'
import { type Inbox, viewLabels } from './use-inbox.ts'
import { countOf, nextViewWithTickets } from './views.ts'

interface EmptyViewProps {
  inbox: Inbox
  onClear(): void
}

/** An empty view: what that means, and a link to a view with tickets. */
export function EmptyView({ inbox, onClear }: EmptyViewProps) {
  const navigate = useNavigate()
  const { search, place, view, counts } = inbox
  if (isFiltered(search)) {
    return (
      <div className={css.empty}>
        <StateMessage
          icon={ListFilter}
          title={t('inbox.nothingFits')}
          text={t('inbox.nothingFitsText')}
          action={{ label: t('inbox.clearFilters'), onClick: onClear }}
        />
      </div>
    )
  }
  const next = nextViewWithTickets(place, counts)
  const count = next ? countOf({ kind: 'built-in', name: next }, counts)! : 0
  const isMine = view?.kind === 'built-in' && view.name === 'mine'
  return (
    <div className={css.empty}>
      <StateMessage
        title={t(place === 'closed' ? 'inbox.nothingClosed' : 'inbox.nothingWaits')}
        text={[
          isMine ? t('inbox.allMineAnswered') : '',
          next ? t('inbox.moreIn', { count, view: t(viewLabels[next]) }) : ''
        ]
          .filter(Boolean)
          .join(' ')}
        {...(next && {
          action: {
            label: t('inbox.openView', { view: t(viewLabels[next]) }),
            onClick: () => navigate({ to: '/$view', params: { view: next } })
          }
        })}
      />
    </div>
  )
}
