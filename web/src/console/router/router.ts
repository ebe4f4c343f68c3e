import { mayGoInHistory, mayLeave } from './navigation-blockers.ts'
import { type AnyTarget, ancestorsOf, descendantsOf, type LazyPage, type Redirect, type Route } from './routes.ts'
import { saveScroll } from './scroll-restoration.ts'
import {
  base,
  bySpecificity,
  fillPattern,
  formatSearch,
  matchParams,
  type Params,
  parseSearch,
  pathBelowBase,
  type Search
} from './urls.ts'

/** Where the window is. The page that is shown may still be the one before, while the next one is loaded. */
export interface RouterLocation {
  /** Below `/desk`. */
  path: string
  href: string
  search: Search
}

/** The pages that are shown, from the root to the innermost one, and what their address says. */
export interface RouteMatch {
  routes: Route[]
  params: Params
  search: Search
  /** Counts the pages of this window, so that one knows which is further back. */
  at: number
  /** Why it cannot be shown. */
  failure?: unknown
}

export type Router = ReturnType<typeof createRouter>

/** What the console wants of a router: nested pages that are loaded before they are shown, typed search, and questions before one leaves. */
export function createRouter(root: Route) {
  const pages = descendantsOf(root)
    .filter(route => route.parent)
    .sort((one, other) => bySpecificity(one.id, other.id))
  const watchers = new Set<() => void>()
  const leavers = new Set<() => void>()
  let place = currentLocation()
  let shown: RouteMatch | undefined
  let at = (history.state as { at?: number } | null)?.at ?? 0
  let turn = 0

  function notify(): void {
    for (const changed of watchers) changed()
  }

  /** The last that was looked for: who goes to a page asks three times. */
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

  /** All that the pages of a place need before they are shown; at once where it is there already. */
  function prepare(to: RouterLocation): Promise<Redirect | undefined> | Redirect | undefined {
    const { routes } = found(to.path)
    const code = routes.map(({ options }) => (options.component as Partial<LazyPage> | undefined)?.preload?.())
    const elsewhere = runBeforeLoad(routes, to)
    const waiting = code.filter(part => part !== undefined)
    if (waiting.length === 0 || isRedirect(elsewhere)) return elsewhere
    return Promise.all([elsewhere, ...waiting]).then(([answer]) => answer as Redirect | undefined)
  }

  /** What stands before the inner page may want another one: it is asked first. */
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
    place = to
    notify()
    let failure: unknown
    try {
      const prepared = prepare(to)
      const elsewhere = prepared instanceof Promise ? await prepared : prepared
      // Somebody has gone on meanwhile.
      if (mine !== turn) return
      if (elsewhere) return await go({ ...elsewhere.redirect, replace: true })
    } catch (error) {
      if (mine !== turn) return
      failure = error
    }
    const { routes, params } = found(to.path)
    if (shown) saveScroll(shown.at)
    shown = { routes, params, search: checkedSearch(routes, to.search), at, ...(failure !== undefined && { failure }) }
    notify()
  }

  function hrefOf({ to, params, search }: AnyTarget): string {
    const former = shown?.params ?? {}
    const [pattern = '', ownSearch] = to === '.' ? [shown?.routes.at(-1)?.id ?? '/'] : to.split('?')
    const given = typeof params === 'function' ? params(former) : (params ?? (to === '.' ? former : {}))
    const now = shown?.search ?? {}
    const wanted = search === true ? now : typeof search === 'function' ? search(now) : (search ?? {})
    const path = fillPattern(pattern, given)
    return `${base}${path === '/' ? '' : path}${ownSearch ? `?${ownSearch}` : formatSearch(wanted as Search)}`
  }

  async function go(target: AnyTarget): Promise<void> {
    const href = hrefOf(target)
    if (!(await mayLeave())) return
    const isSame = href === place.href
    const to = locationOf(new URL(href, location.origin))
    if (shown && to.path !== place.path) for (const left of leavers) left()
    if (target.replace || isSame) history.replaceState({ at }, '', href)
    else history.pushState({ at: ++at }, '', href)
    await show(to)
  }

  addEventListener('popstate', async ({ state }) => {
    const next = (state as { at?: number } | null)?.at
    const to = currentLocation()
    // A link to a part of the page makes a place in the history as well.
    if (next === undefined) return history.replaceState({ at: ++at }, '')
    if (!(await mayGoInHistory(next - at))) return
    at = next
    if (to.path !== place.path) for (const left of leavers) left()
    void show(to)
  })

  return {
    start(): Promise<void> {
      history.replaceState({ at }, '')
      return show(currentLocation())
    },
    hrefOf,
    navigate: go,
    /** Loads what a page needs, before somebody goes there. */
    preload(target: AnyTarget): void {
      void (async () => prepare(locationOf(new URL(hrefOf(target), location.origin))))().catch(() => {})
    },
    place: () => place,
    shown: () => shown,
    watch(changed: () => void): () => void {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    /** Told when another path is gone to; not when only a filter of a page changes. */
    onLeave(left: () => void): () => void {
      leavers.add(left)
      return () => leavers.delete(left)
    }
  }
}

function currentLocation(): RouterLocation {
  return locationOf(new URL(location.href))
}

function locationOf({ pathname, search, hash }: URL): RouterLocation {
  return { path: pathBelowBase(pathname), href: pathname + search + hash, search: parseSearch(search) }
}

/** What the address says, and of what the pages know only what can be meant. */
function checkedSearch(routes: Route[], given: Search): Search {
  const search = { ...given }
  for (const { options } of routes) Object.assign(search, options.validateSearch?.(search))
  return search
}

function isRedirect(answer: unknown): answer is Redirect {
  return typeof answer === 'object' && answer !== null && 'redirect' in answer
}
