import { mayGoInHistory, mayLeave } from '../lib/navigation-blockers.ts'
import { createStore } from '../lib/store.ts'
import { ancestorsOf, descendantsOf, type LazyPage, type Redirect, type Route, type Target } from './routes.ts'
import { saveScroll } from './scroll-restoration.ts'
import {
  bySpecificity,
  fillPattern,
  formatSearch,
  matchParams,
  type Params,
  parseSearch,
  pathBelowBase,
  type Search
} from './urls.ts'

/** The location of the window. While the next page is loaded, the previous one is still shown. */
export interface RouterLocation {
  /** Below the base. */
  path: string
  href: string
  search: Search
}

/** The routes that are shown, from the root to the innermost one, with their parameters. */
export interface RouteMatch {
  routes: Route[]
  params: Params
  search: Search
  /** The position in the history of this window. */
  at: number
  /** The error, if the page could not be loaded. */
  failure?: unknown
}

export type Router = ReturnType<typeof createRouter>

/** A router with nested routes whose code is loaded before they are shown, typed search parameters, and navigation blockers. */
export function createRouter(root: Route, base = '') {
  const pages = descendantsOf(root)
    .filter(route => route.parent)
    .sort((one, other) => bySpecificity(one.id, other.id))
  const place = createStore(locationOf(new URL(location.href)))
  const shown = createStore<RouteMatch | undefined>(undefined)
  const leavers = new Set<() => void>()
  let at = (history.state as { at?: number } | null)?.at ?? 0
  let turn = 0

  function locationOf({ pathname, search, hash }: URL): RouterLocation {
    return { path: pathBelowBase(base, pathname), href: pathname + search + hash, search: parseSearch(search) }
  }

  const targetLocation = (target: Target) => locationOf(new URL(hrefOf(target), location.origin))

  /** The last match is cached, because a navigation looks for it three times. */
  let last: { path: string; found: Pick<RouteMatch, 'routes' | 'params'> } | undefined
  function found(path: string): Pick<RouteMatch, 'routes' | 'params'> {
    if (last?.path !== path) last = { path, found: find(path) }
    return last.found
  }

  function find(path: string): Pick<RouteMatch, 'routes' | 'params'> {
    for (const route of pages) {
      const params = matchParams(route.id, path)
      if (params) return { routes: ancestorsOf(route), params }
    }
    return { routes: [root], params: {} }
  }

  /** Loads what the routes of a location need; returns no promise if everything is loaded already. */
  function prepare(to: RouterLocation): Promise<Redirect | undefined> | Redirect | undefined {
    const { routes } = found(to.path)
    const code = routes.map(({ options }) => (options.component as Partial<LazyPage> | undefined)?.preload?.())
    const elsewhere = runBeforeLoad(routes, to)
    const waiting = code.filter(part => part !== undefined)
    if (waiting.length === 0 || isRedirect(elsewhere)) return elsewhere
    return Promise.all([elsewhere, ...waiting]).then(([answer]) => answer as Redirect | undefined)
  }

  /** Runs `beforeLoad` from the outermost route to the innermost; a redirect of an outer route wins. */
  function runBeforeLoad(routes: Route[], to: RouterLocation): Promise<Redirect | undefined> | Redirect | undefined {
    for (const [inward, { options }] of routes.entries()) {
      const answer = options.beforeLoad?.({ path: to.path, href: to.href })
      if (answer instanceof Promise)
        return answer.then(other => (isRedirect(other) ? other : runBeforeLoad(routes.slice(inward + 1), to)))
      if (isRedirect(answer)) return answer
    }
    return undefined
  }

  async function show(to: RouterLocation): Promise<void> {
    const mine = ++turn
    place.set(to)
    let failure: unknown
    try {
      const prepared = prepare(to)
      const elsewhere = prepared instanceof Promise ? await prepared : prepared
      // A newer navigation has begun meanwhile.
      if (mine !== turn) return
      if (elsewhere) return await go({ ...elsewhere.redirect, replace: true })
    } catch (error) {
      if (mine !== turn) return
      failure = error
    }
    const { routes, params } = found(to.path)
    const former = shown.get()
    if (former) saveScroll(former.at)
    const search = checkedSearch(routes, to.search)
    shown.set({ routes, params, search, at, ...(failure !== undefined && { failure }) })
  }

  function hrefOf({ to, params, search }: Target): string {
    const here = shown.get()
    const former = here?.params ?? {}
    const [pattern = '', ownSearch] = to === '.' ? [here?.routes.at(-1)?.id ?? '/'] : to.split('?')
    const given = typeof params === 'function' ? params(former) : (params ?? (to === '.' ? former : {}))
    const now = here?.search ?? {}
    const wanted = search === true ? now : typeof search === 'function' ? search(now) : (search ?? {})
    const path = fillPattern(pattern, given)
    return `${base && path === '/' ? base : base + path}${ownSearch ? `?${ownSearch}` : formatSearch(wanted as Search)}`
  }

  async function go(target: Target): Promise<void> {
    const to = targetLocation(target)
    if (!(await mayLeave())) return
    const former = place.get()
    if (shown.get() && to.path !== former.path) for (const left of leavers) left()
    if (target.replace || to.href === former.href) history.replaceState({ ...target.state, at }, '', to.href)
    else history.pushState({ ...target.state, at: ++at }, '', to.href)
    await show(to)
  }

  addEventListener('popstate', async ({ state }) => {
    const next = (state as { at?: number } | null)?.at
    const to = locationOf(new URL(location.href))
    // A link to a fragment of the page adds a history entry without a state.
    if (next === undefined) return history.replaceState({ at: ++at }, '')
    if (!(await mayGoInHistory(next - at))) return
    at = next
    if (to.path !== place.get().path) for (const left of leavers) left()
    void show(to)
  })

  return {
    start(): Promise<void> {
      history.replaceState({ ...history.state, at }, '')
      return show(locationOf(new URL(location.href)))
    },
    hrefOf,
    navigate: go,
    /** Loads what a page needs before a navigation to it. */
    preload(target: Target): void {
      void (async () => prepare(targetLocation(target)))().catch(() => {})
    },
    place,
    shown,
    targetLocation,
    /** Calls `left` at each navigation to another path, but not if only the search parameters change. */
    onLeave(left: () => void): () => void {
      leavers.add(left)
      return () => leavers.delete(left)
    }
  }
}

/** The search parameters, validated by the routes. */
function checkedSearch(routes: Route[], given: Search): Search {
  const search = { ...given }
  for (const { options } of routes) Object.assign(search, options.validateSearch?.(search))
  return search
}

function isRedirect(answer: unknown): answer is Redirect {
  return typeof answer === 'object' && answer !== null && 'redirect' in answer
}
