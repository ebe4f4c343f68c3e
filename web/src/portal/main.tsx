import { renderApp } from '../app/render-app.tsx'
import { loadSession } from '../app/session.ts'
import type { Catalogue } from '../lib/strings.ts'
import { Pages } from './pages.tsx'

// Asked for while the strings are still on their way; the pages ask again, and say what failed.
void loadSession().catch(() => {})
await renderApp(
  <Pages />,
  import.meta.glob<Catalogue>(['../strings/*/{account,session,shared,ui}.json', '../strings/*/portal*.json']),
  'portal-shell'
)
