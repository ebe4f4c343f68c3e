import { sessionStarted } from '../app/session.tsx'
import { start } from '../app/start.tsx'
import type { Catalogue } from '../lib/strings.ts'
import { Pages } from './pages.tsx'

// Asked for while the strings are still on their way; the pages ask again, and say what failed.
void sessionStarted().catch(() => {})
await start(
  <Pages />,
  import.meta.glob<Catalogue>(['../strings/*/{account,session,shared,ui}.json', '../strings/*/portal*.json']),
  'portal-shell'
)
