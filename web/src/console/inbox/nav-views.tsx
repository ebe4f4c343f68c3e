import { Building2, CircleCheck, Inbox, Moon, Reply, Star, Timer, User, UserRoundMinus } from 'lucide-react'
import { type ReactNode, Suspense, useId } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { lazyPart } from '../../app/lazy-part.ts'
import { useMe } from '../../app/me.ts'
import { loadStrings, t } from '../../lib/strings.ts'
import type { Icon } from '../../ui/icon.tsx'
import { PauseIcon } from '../../ui/status-icon.tsx'
import { NavLink } from '../nav-link.tsx'
import { pageAccess } from '../page-access.ts'
import css from './nav-views.module.css'
import { NewViewButton } from './new-view-button.tsx'
import { viewLabels } from './use-inbox.ts'
import { useViewKeys } from './use-list-keys.ts'
import { useLiveCounts } from './use-live-counts.ts'
import { type BuiltInView, builtInViews, countOf } from './views.ts'

const icons: Record<BuiltInView, Icon> = {
  mine: User,
  unassigned: UserRoundMinus,
  replied: Reply,
  breaching: Timer,
  all: Inbox,
  waiting: PauseIcon,
  snoozed: Moon,
  closed: CircleCheck
}

/** The navigation is on every page, also on those that do not load the strings of the inbox. */
const Views = lazyPart(async () => {
  await loadStrings('inbox')
  return { default: LoadedViews }
})

/** The views of the inbox with their counts, for the navigation and for the sheet on phones. */
export function NavViews({ isSheet = false }: { isSheet?: boolean }) {
  const me = useMe()
  if (!pageAccess.tickets(me)) return null
  return (
    <Suspense fallback={<div className={css.place} />}>
      <Views isSheet={isSheet} />
    </Suspense>
  )
}

function LoadedViews({ isSheet }: { isSheet: boolean }) {
  useLiveCounts()
  useViewKeys(!isSheet)
  const { data: counts } = useApiQuery('/api/admin/tickets/counts')
  const { data: saved } = useApiQuery('/api/admin/views/list')
  const departments = counts?.per_department ?? []
  return (
    <>
      <Group heading={t('inbox.views')} isHidden>
        {builtInViews.map(name => (
          <NavLink
            key={name}
            to={`/${name}`}
            icon={icons[name]}
            label={t(viewLabels[name])}
            count={countOf({ kind: 'built-in', name }, counts)}
            isHot={name === 'breaching'}
          />
        ))}
      </Group>
      <Group heading={t('inbox.savedViews')} action={!isSheet && <NewViewButton />}>
        {saved?.views.map(({ id, name }) => (
          <NavLink
            key={id}
            to={`/view-${id}`}
            icon={Star}
            label={name}
            count={countOf({ kind: 'saved', id }, counts)}
          />
        ))}
      </Group>
      {departments.length > 0 && (
        <Group heading={t('inbox.departments')}>
          {departments.map(({ deptid, name, open }) => (
            <NavLink key={deptid} to={`/department-${deptid}`} icon={Building2} label={name} count={open} />
          ))}
        </Group>
      )}
    </>
  )
}

interface GroupProps {
  heading: string
  isHidden?: boolean
  action?: ReactNode
  children: ReactNode
}

function Group({ heading, isHidden, action, children }: GroupProps) {
  const id = useId()
  return (
    <section className="nav-group" aria-labelledby={id}>
      <h2 className={isHidden ? 'visually-hidden' : undefined}>
        <span id={id} className={css.heading}>
          {heading}
        </span>
        {action}
      </h2>
      {children}
    </section>
  )
}
