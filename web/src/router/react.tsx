import {
  type AnchorHTMLAttributes,
  createContext,
  type MouseEvent,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef
} from 'react'
import { FailureState } from '../app/failure-state.tsx'
import { useStore } from '../lib/store.ts'
import type { RouteMatch, Router, RouterLocation } from './router.ts'
import type { Target } from './routes.ts'
import { restoreScroll } from './scroll-restoration.ts'
import type { Params, Search } from './urls.ts'

const RouterContext = createContext<Router | undefined>(undefined)
const ShownContext = createContext<RouteMatch | undefined>(undefined)
const DepthContext = createContext(0)

export function useRouter(): Router {
  return useContext(RouterContext)!
}

interface RouterProviderProps {
  router: Router
  /** Surrounds every page; it contains an `Outlet`. */
  frame: ReactNode
  notFound: ReactNode
}

const NotFoundContext = createContext<ReactNode>(null)

/** Shows the pages that the address leads to. The router has been started before. */
export function RouterProvider({ router, frame, notFound }: RouterProviderProps) {
  const shown = useStore(router.shown)
  const at = shown?.at
  useLayoutEffect(() => {
    if (at !== undefined) restoreScroll(at)
  }, [at])
  return (
    <RouterContext value={router}>
      <ShownContext value={shown}>
        <NotFoundContext value={notFound}>{frame}</NotFoundContext>
      </ShownContext>
    </RouterContext>
  )
}

/** The page within this one. */
export function Outlet() {
  const shown = useContext(ShownContext)
  const depth = useContext(DepthContext) + 1
  const notFound = useContext(NotFoundContext)
  if (!shown) return null
  if (shown.failure !== undefined)
    return <FailureState error={shown.failure} heading="h1" onRetry={() => location.reload()} />
  const inner = shown.routes[depth]
  if (!inner) return depth === 1 ? notFound : null
  const Page = inner.options.component
  return <DepthContext value={depth}>{Page ? <Page key={inner.id} /> : <Outlet />}</DepthContext>
}

/** Navigates to another page when it is rendered. */
export function Redirect({ to }: Pick<Target, 'to'>) {
  const { navigate } = useRouter()
  useEffect(() => void navigate({ to, replace: true }), [navigate, to])
  return null
}

/** Whether the page could not be loaded; the frame then shows the reason by its `Outlet`. */
export function useHasFailed(): boolean {
  return useContext(ShownContext)?.failure !== undefined
}

/** The path parameters of the page that is shown. */
export function useParams<P extends Partial<Params> = Partial<Params>>(): P {
  return (useContext(ShownContext)?.params ?? {}) as P
}

const noSearch: Search = {}

export function useSearch<S extends object = Search>(): S {
  const search = useContext(ShownContext)?.search ?? noSearch
  const former = useRef(search)
  // The same object is returned until the search parameters change.
  if (JSON.stringify(former.current) !== JSON.stringify(search)) former.current = search
  return former.current as S
}

/** The pattern of the innermost page that is shown; empty if there is none. */
export function useRouteId(): string {
  return useContext(ShownContext)?.routes.at(-1)?.id ?? ''
}

/** Selects from the location, which is ahead of the shown page while the next one is loaded. */
export function useRouterLocation<T extends string | boolean>(select: (place: RouterLocation) => T): T {
  return useStore(useRouter().place, select)
}

export function useNavigate(): (target: Target) => Promise<void> {
  return useRouter().navigate
}

export type LinkProps<To = Target> = To & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>

/** How long the pointer rests on a link before its page is preloaded. */
const preloadDelayMilliseconds = 50

/** A link to another page of the application. The page is preloaded when the pointer rests on the link. */
export function Link({ to, params, search, replace, state, onClick, ...props }: LinkProps) {
  const router = useRouter()
  const target = { to, params, search, replace, state }
  const href = router.hrefOf(target)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address says all of the target.
  const goal = useMemo(() => router.targetLocation(target), [href])
  const isCurrent = useRouterLocation(place => leadsTo(goal, place))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const schedulePreload = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => router.preload(target), preloadDelayMilliseconds)
  }

  function go(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    const isOfTheBrowser = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0
    if (isOfTheBrowser || event.defaultPrevented || (props.target && props.target !== '_self')) return
    event.preventDefault()
    void router.navigate(target)
  }

  return (
    <a
      aria-current={isCurrent ? 'page' : undefined}
      {...props}
      href={href}
      onClick={go}
      onMouseEnter={schedulePreload}
      onMouseLeave={() => clearTimeout(timer.current)}
      onFocus={schedulePreload}
      onTouchStart={() => router.preload(target)}
    />
  )
}

/** Whether the location is this address or below it. */
function leadsTo({ path, search }: RouterLocation, place: RouterLocation): boolean {
  if (place.path !== path && !place.path.startsWith(`${path}/`)) return false
  return Object.entries(search).every(([name, value]) => place.search[name] === value)
}
