import type { ReactNode } from 'react'
import { ConnectionBar } from '../../app/connection-bar.tsx'
import { useRouteId, useRouterLocation } from '../../router/react.tsx'
import { SkipLink } from '../../ui/skip-link.tsx'
import { Nav } from './nav.tsx'
import { isInAdministration } from './nav-items.ts'
import './shell.css'
import { TabBar } from './tab-bar.tsx'

/** The navigation beside the page. On phones it is a tab bar below, hidden while a ticket is open. */
export function Shell({ children }: { children: ReactNode }) {
  const inTicket = useRouterLocation(({ path }) => /\/TIC-/i.test(path))
  const hasList = isInAdministration(useRouteId())
  return (
    <div className="shell" data-list={hasList || undefined}>
      <SkipLink />
      <Nav />
      <div className="shell-page">
        <ConnectionBar />
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      {!inTicket && <TabBar />}
    </div>
  )
}
