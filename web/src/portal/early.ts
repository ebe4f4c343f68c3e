import { client } from '../client/client.ts'
import { requestEarly } from '../client/early-requests.ts'
import { type Catalogue, loadStrings, provideStrings } from '../lib/strings.ts'
import type { Area } from '../strings/keys.ts'

// Begins with the document, while the rest of the code is being loaded: the session, the strings and the first data.

const [, place = '', ticket] = location.pathname.split('/')
provideStrings(
  import.meta.glob<Catalogue>([
    '../strings/*/{account,format,session,shared,sign-on,ui}.json',
    '../strings/*/portal*.json'
  ])
)
const areas: Area[] =
  place === 'sign-in' ? ['portal-sign-in', 'session'] : place === 'tickets' ? ['portal', 'portal-ticket'] : ['portal']
void loadStrings('shared', 'ui', 'portal-shell', ...areas)?.catch(() => {})
requestEarly('/api/desk', {})
if (place === 'sign-in') requestEarly('/api/sso/providers', {})
void requestFirstData().catch(() => {})
if (place === 'tickets') void import('./ticket/ticket-page.tsx').catch(() => {})

async function requestFirstData(): Promise<void> {
  if (!(await client.user())) return
  requestEarly('/api/account/profile', {})
  if (!place) {
    requestEarly('/api/tickets/list', { limit: 1000 })
    requestEarly('/api/departments', {})
  }
  if (place === 'tickets' && ticket) requestEarly('/api/tickets/detail', { id: decodeURIComponent(ticket) })
}
