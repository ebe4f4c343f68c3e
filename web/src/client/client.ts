import { createClient, DesklineError, type PageClient, type PageOptions, type Population } from '@deskline/client'

/** The users of these pages: the console is below `/desk`, everything else is the portal. */
export const population: Population = /^\/desk(\/|$)/.test(location.pathname) ? 'staff' : 'client'

/** The callbacks for when the session begins, is interrupted or ends: `app/session.ts`. */
type SessionHandlers = Required<Pick<PageOptions, 'reauthenticate' | 'onSessionEnd' | 'onSessionBegin'>>
let handlers: SessionHandlers | undefined

/** The API client of these pages, without React: it works before the rest of the code is there. */
export const client: PageClient = createClient({
  baseUrl: '',
  session: 'cookie',
  population,
  fetch: fetchOnline,
  reauthenticate: async user => (await handlers?.reauthenticate(user)) ?? false,
  onSessionEnd: end => handlers?.onSessionEnd(end),
  onSessionBegin: user => handlers?.onSessionBegin(user)
})

export function setSessionHandlers(given: SessionHandlers): void {
  handlers = given
}

/** While offline nothing is retried four times: people are told at once. */
async function fetchOnline(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  if (navigator.onLine) return await fetch(input, init)
  throw new DesklineError({ message: 'There is no network', status: 0, reason: 'network_error' })
}
