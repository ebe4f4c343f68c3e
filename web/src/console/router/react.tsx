import {
  type AnchorHTMLAttributes,
  createContext,
  type MouseEvent,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore
} from 'react'
import { FailureState } from '../../app/failure-state.tsx'
import type { Target } from './addresses.ts'
import { blockers, type NavigationBlocker } from './navigation-blockers.ts'
import type { RouteMatch, Router, RouterLocation } from './router.ts'
import { restoreScroll } from './scroll-restoration.ts'
import { type Params, parseSearch, pathBelowBase, type Search } from './urls.ts'

const RouterContext = createContext<Router | undefined>(undefined)
const ShownContext = createContext<RouteMatch | undefined>(undefined)
const DepthContext = createContext(0)

export function useRouter(): Router {
  return useContext(RouterContext)!
}

interface RouterProviderProps {
  router: Router
  /** What surrounds every page; it contains an `Outlet`. */
  frame: ReactNode
  notFound: ReactNode
}

/** Shows the pages that the address leads to; nothing until the first one is loaded. */
export function RouterProvider({ router, frame, notFound }: RouterProviderProps) {
  const shown = useSyncExternalStore(router.watch, router.shown)
  useEffect(() => void router.start(), [router])
  const at = shown?.at
  useLayoutEffect(() => {
    if (at !== undefined) restoreScroll(at)
  }, [at])
  if (!shown) return null
  return (
    <RouterContext value={router}>
      <ShownContext value={shown}>
        <NotFoundContext value={notFound}>
          {shown.failure === undefined ? (
            frame
          ) : (
            <FailureState error={shown.failure} heading="h1" onRetry={() => location.reload()} />
          )}
        </NotFoundContext>
      </ShownContext>
    </RouterContext>
  )
}

const NotFoundContext = createContext<ReactNode>(null)

/** The page within this one. */
export function Outlet() {
  const { routes } = useContext(ShownContext)!
  const depth = useContext(DepthContext) + 1
  const notFound = useContext(NotFoundContext)
  const inner = routes[depth]
  if (!inner) return depth === 1 ? notFound : null
  const Page = inner.options.component
  return <DepthContext value={depth}>{Page ? <Page key={inner.id} /> : <Outlet />}</DepthContext>
}

/** What the address of the pages that are shown says in its parts. */
export function useParams<P extends Partial<Params> = Partial<Params>>(): P {
  return useContext(ShownContext)!.params as P
}

export function useSearch<S extends object = Search>(): S {
  const { search } = useContext(ShownContext)!
  const former = useRef(search)
  // The same thing as long as it says the same.
  if (JSON.stringify(former.current) !== JSON.stringify(search)) former.current = search
  return former.current as S
}

/** The pattern of the innermost page that is shown; nothing where there is none. */
export function useRouteId(): string {
  return useContext(ShownContext)!.routes.at(-1)!.id
}

/** Something about where the window goes, at once: `shown` may be behind it. */
export function useRouterLocation<T extends string | boolean>(select: (place: RouterLocation) => T): T {
  const router = useRouter()
  return useSyncExternalStore(router.watch, () => select(router.place()))
}

export function useNavigate(): (target: Target) => Promise<void> {
  return useRouter().navigate
}

type LinkProps = Target & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>

/** How long the pointer rests on a link before its page is preloaded. */
const preloadDelayMilliseconds = 50

/** A link to another page of the console. The page is preloaded when the pointer rests on the link. */
export function Link({ to, params, search, replace, onClick, ...props }: LinkProps) {
  const router = useRouter()
  const target = { to, params, search, replace }
  const href = router.hrefOf(target)
  const goal = useMemo(() => goalOf(href), [href])
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

function goalOf(href: string) {
  const { pathname, search } = new URL(href, location.origin)
  return { path: pathBelowBase(pathname), search: Object.entries(parseSearch(search)) }
}

/** Whether this address is the one that is shown, or what that is a part of. */
function leadsTo({ path, search }: ReturnType<typeof goalOf>, place: RouterLocation): boolean {
  if (place.path !== path && !place.path.startsWith(`${path}/`)) return false
  return search.every(([name, value]) => place.search[name] === value)
}

/** Holds whoever leaves while there is something to lose. `status` is `blocked` while it is to be decided. */
export function useBlocker(isOn: boolean): { isBlocked: boolean; proceed(): void; stay(): void } {
  const [asked, setAsked] = useState<{ answer(goes: boolean): void }>()
  const isOnNow = useRef(isOn)
  isOnNow.current = isOn
  useEffect(() => {
    const blocker: NavigationBlocker = {
      isOn: () => isOnNow.current,
      ask: () =>
        new Promise(answer => {
          setAsked(former => {
            // If a second navigation is attempted while the first is undecided, the second replaces it.
            former?.answer(false)
            return { answer }
          })
        })
    }
    blockers.add(blocker)
    return () => void blockers.delete(blocker)
  }, [])
  return useMemo(() => {
    const decide = (goes: boolean) => {
      setAsked(undefined)
      asked?.answer(goes)
    }
    return { isBlocked: asked !== undefined, proceed: () => decide(true), stay: () => decide(false) }
  }, [asked])
}
