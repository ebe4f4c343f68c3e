import { renderApp } from '../app/render-app.tsx'
import { loadSession } from '../app/session.ts'
import type { Catalogue } from '../lib/strings.ts'
import { RouterProvider } from '../router/react.tsx'
import { router } from './pages.ts'
import { LoadingPage } from './shell/loading-page.tsx'
import { NotFound } from './shell/not-found.tsx'
import { PortalShell } from './shell/portal-shell.tsx'

// Asked for while the strings are still on their way; the pages ask again, and say what failed.
void loadSession().catch(() => {})
await renderApp(
  <RouterProvider router={router} frame={<PortalShell />} loading={<LoadingPage />} notFound={<NotFound />} />,
  import.meta.glob<Catalogue>(['../strings/*/{account,session,shared,ui}.json', '../strings/*/portal*.json']),
  'portal-shell'
)
