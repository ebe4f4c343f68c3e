import { type ComponentType, createElement, lazy, useState } from 'react'
import type { PathOf, Target } from '../pages.ts'
import type { Params, Search } from './urls.ts'

/** Where somebody goes, as the router takes it; what a page may say is `Target`. */
export interface AnyTarget {
  to: string
  params?: Partial<Params> | ((former: Params) => Partial<Params>) | undefined
  search?: true | object | ((former: Search) => object) | undefined
  replace?: boolean | undefined
}

export interface Redirect {
  redirect: Target
}

/** A page for another one: what `beforeLoad` answers. */
export function redirect(target: Target): Redirect {
  return { redirect: target }
}

/** A page whose code comes when it is gone to. */
export type LazyPage = ComponentType & { preload(): Promise<unknown> | undefined }

export interface RouteOptions {
  validateSearch?: (search: Search) => object
  /** What must be there or settled before the page is shown; it may answer with a redirect. Without a promise the page is shown at once. */
  beforeLoad?(place: { path: string; href: string }): unknown
  component?: ComponentType | LazyPage
}

export interface Route<Id extends string = string> {
  /** The pattern of its whole address, `/staff/$staffId`; of the root nothing. */
  id: Id
  parent: Route | undefined
  options: RouteOptions
  children: Route[]
  addChildren(children: Route[]): Route
}

/** What stands around every page. */
export function createRoot(options: RouteOptions): Route<''> {
  return routeOf('', undefined, options)
}

/** A page in another one, below its address. */
export function createRoute<Above extends string, Path extends string>(
  parent: Route<Above>,
  path: Path & PathOf<Above, Path>,
  options: RouteOptions
): Route<`${Above}${Path}`> {
  return routeOf(`${parent.id}${path}`, parent, options)
}

function routeOf<Id extends string>(id: Id, parent: Route | undefined, options: RouteOptions): Route<Id> {
  const route: Route<Id> = {
    id,
    parent,
    options,
    children: [],
    addChildren: children => {
      route.children.push(...children)
      return route
    }
  }
  return route
}

/** The page of that name in a part of the code that is loaded on its own. */
export function lazyRouteComponent<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name
): LazyPage {
  let Page: ComponentType | undefined
  let loading: Promise<ComponentType> | undefined
  const loaded = () => {
    loading ??= load().then(module => {
      Page = module[name]
      return Page
    })
    // What could not be loaded is asked for anew the next time.
    loading.catch(() => {
      loading = undefined
    })
    return loading
  }
  const Later = lazy(async () => ({ default: await loaded() }))
  const Shown = () => {
    // The same as long as it is shown: another one would begin anew.
    const [Shown] = useState(() => Page ?? Later)
    return createElement(Shown)
  }
  return Object.assign(Shown, { preload: () => (Page ? undefined : loaded()) })
}

/** From the root to the page. */
export function ancestorsOf(route: Route): Route[] {
  return route.parent ? [...ancestorsOf(route.parent), route] : [route]
}

export function descendantsOf(route: Route): Route[] {
  return [route, ...route.children.flatMap(descendantsOf)]
}
