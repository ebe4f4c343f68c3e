import { Bell, CircleQuestionMark, Search } from 'lucide-react'
import { useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { IconButton } from '../../ui/button.tsx'
import { Keys } from '../../ui/kbd.tsx'
import { LogoMark } from '../../ui/logo.tsx'
import { NavViews } from '../inbox/nav-views.tsx'
import { useHeldCounts, useLiveHeldMail } from '../mail/use-held-counts.ts'
import { NavLink } from '../nav-link.tsx'
import { Link } from '../navigation.ts'
import { openPalette, openShortcuts } from '../overlay.ts'
import { AccountMenu } from './account-menu.tsx'
import { isAtItem, navItemsFor } from './nav-items.ts'

/** The navigation: the views with their counts, then the other pages. In narrow windows it is a rail of icons. */
export function Nav() {
  const me = useMe()
  const held = useHeldCounts()
  const places = navItemsFor(me, held?.total)
  useLiveHeldMail()
  return (
    <nav className="nav" aria-label={t('console.main')}>
      <Link to="/" className="brand" aria-label={t('console.home')}>
        <LogoMark size={22} />
        <span className="label">Deskline</span>
      </Link>
      <button
        type="button"
        className="nav-search"
        onClick={openPalette}
        data-tip={t('console.searchOrJump')}
        data-tip-rail
      >
        <Search size={16} aria-hidden />
        <span className="label">{t('console.searchOrJump')}</span>
        <span className="keys" aria-hidden>
          <Keys keys="Ctrl K" />
        </span>
      </button>
      <div className="nav-places">
        <NavViews />
        {places.length > 0 && (
          <section className="nav-group" aria-labelledby="nav-desk">
            <h2 id="nav-desk">{t('console.desk')}</h2>
            {places.map(place => (
              <NavLink key={place.to} {...place} isAt={isAtItem[place.to]} />
            ))}
          </section>
        )}
      </div>
      <div className="nav-foot">
        <AccountMenu />
        <Link
          to="/account"
          search={{ part: 'emails' }}
          className="icon-btn"
          aria-label={t('console.notifications')}
          data-tip={t('console.notifications')}
        >
          <Bell size={16} aria-hidden />
        </Link>
        <IconButton icon={CircleQuestionMark} label={t('console.shortcuts')} shortcut="?" onClick={openShortcuts} />
      </div>
    </nav>
  )
}
