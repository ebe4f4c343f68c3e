import { Inbox, Pause, Reply, User, UserRoundMinus } from 'lucide-react'
import { t } from '../../lib/strings.ts'
import { NavLink } from '../shell/nav-link.tsx'

/** The views of tickets in the navigation. */
export function NavViews() {
  return (
    <section className="nav-group" aria-label={t('console.tickets')}>
      <NavLink to="/mine" label={t('console.mine')} icon={User} />
      <NavLink to="/unassigned" label={t('console.unassigned')} icon={UserRoundMinus} />
      <NavLink to="/replied" label={t('console.replied')} icon={Reply} />
      <NavLink to="/all" label={t('console.allOpen')} icon={Inbox} />
      <NavLink to="/waiting" label={t('console.waiting')} icon={Pause} />
    </section>
  )
}
