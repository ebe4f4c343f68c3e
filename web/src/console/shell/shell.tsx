import { type ReactNode, Suspense } from 'react'
import { ConnectionBar } from '../../app/connection-bar.tsx'
import { lazyPart } from '../../app/lazy-part.ts'
import { useMe } from '../../app/me.ts'
import { useRouteId, useRouterLocation } from '../../router/react.tsx'
import { SkipLink } from '../../ui/skip-link.tsx'
import { Nav } from './nav.tsx'
import { isInAdministration } from './nav-items.ts'
import './shell.css'
import { TabBar } from './tab-bar.tsx'

const AwayBar = lazyPart(async () => ({ default: (await import('./away-bar.tsx')).AwayBar }))

/** The navigation beside the page. On phones it is a tab bar below, hidden while a ticket is open. */
export function Shell({ children }: { children: ReactNode }) {
  const inTicket = useRouterLocation(({ path }) => /\/TIC-/i.test(path))
  const { profile } = useMe()
  const until = 'away_until' in profile && profile.away_until
  const hasList = isInAdministration(useRouteId())
  return (
    <div className="shell" data-list={hasList || undefined}>
      <SkipLink />
      <Nav />
      <div className="shell-page">
        <ConnectionBar />
        {until && (
          <Suspense>
            <AwayBar until={until} />
          </Suspense>
        )}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      {!inTicket && <TabBar />}
    </div>
  )
}
