import { client } from '../client/client.ts'
import { requestEarly } from '../client/early-requests.ts'
import { type Catalogue, loadStrings, provideStrings } from '../lib/strings.ts'
import { queryOfView, viewRefOf } from './inbox/views.ts'
import { isPublicPage } from './public-pages.ts'

// Begins with the document, while the rest of the code is being loaded: the session, the strings and the first data.

const [, , place = '', ticket] = location.pathname.split('/')
provideStrings(import.meta.glob<Catalogue>(['../strings/*/*.json', '!**/portal*.json']))
void loadStrings('shared', 'ui', 'console', isPublicPage(`/${place}`) ? 'session' : 'inbox')?.catch(() => {})
if (place === 'sign-in') requestEarly('/api/sso/providers', {})
void requestFirstData().catch(() => {})
if (ticket) {
  void import('./ticket/thread-pane.tsx').catch(() => {})
  void loadStrings('thread', 'links', 'authentication', 'delivery')?.catch(() => {})
}

async function requestFirstData(): Promise<void> {
  const user = await client.user()
  if (!user) return
  requestEarly('/api/account/profile', {})
  if (isPublicPage(`/${place}`)) return
  requestEarly('/api/admin/tickets/counts', {})
  const view = viewRefOf(place || 'all')
  if (!view || view.kind === 'saved' || location.search) return
  requestEarly('/api/admin/tickets/list', { ...queryOfView(view, user.id, undefined), limit: 50 })
  if (ticket) requestEarly('/api/admin/tickets/detail', { id: decodeURIComponent(ticket) })
}
