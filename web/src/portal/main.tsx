import { renderApp } from '../app/render-app.tsx'
import { loadSession } from '../app/session.ts'
import type { Catalogue } from '../lib/strings.ts'
import { RouterProvider } from '../router/react.tsx'
import { router } from './pages.ts'
import { LoadingPage } from './shell/loading-page.tsx'
import { NotFound } from './shell/not-found.tsx'
import { PortalShell } from './shell/portal-shell.tsx'

// Starts loading the session in parallel with the strings. The pages load it again and show a failure.
void loadSession().catch(() => {})
await renderApp(
  <RouterProvider router={router} frame={<PortalShell />} loading={<LoadingPage />} notFound={<NotFound />} />,
  import.meta.glob<Catalogue>(['../strings/*/{account,session,shared,ui}.json', '../strings/*/portal*.json']),
  'portal-shell'
)
