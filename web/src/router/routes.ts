import { type ComponentType, createElement, lazy, useState } from 'react'
import type { Params, Search } from './urls.ts'

/** Where a navigation leads. An application narrows it to its own addresses. */
export interface Target {
  to: string
  params?: Partial<Params> | ((former: Params) => Partial<Params>) | undefined
  /** `true` keeps the search parameters. */
  search?: true | object | ((former: Search) => object) | undefined
  replace?: boolean | undefined
  /** Kept in the history beside the address. */
  state?: object | undefined
}

export interface Redirect {
  redirect: Target
}

/** A redirect to another page, for `beforeLoad` to return. */
export function redirect(target: Target): Redirect {
  return { redirect: target }
}

/** A page whose code is loaded when it is navigated to. */
export type LazyPage = ComponentType & { preload(): Promise<unknown> | undefined }

export interface RouteOptions {
  validateSearch?: (search: Search) => object
  /** Runs before the page is shown, and may return a redirect. If it returns no promise, the page is shown at once. */
  beforeLoad?(place: { path: string; href: string }): unknown
  component?: ComponentType | LazyPage
}

export interface Route<Id extends string = string> {
  /** The pattern of its whole path, `/staff/$staffId`; empty for the root. */
  id: Id
  parent: Route | undefined
  options: RouteOptions
  children: Route[]
  addChildren(children: Route[]): Route
}

/** The route around all pages. */
export function createRoot(options: RouteOptions): Route<''> {
  return routeOf('', undefined, options)
}

/** A route nested in another one, below its path. */
export function createRoute<Above extends string, Path extends string>(
  parent: Route<Above>,
  path: Path,
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

/** A page by the name of its export in a module that is loaded lazily. */
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
    // After a failure the next navigation tries again.
    loading.catch(() => {
      loading = undefined
    })
    return loading
  }
  const Later = lazy(async () => ({ default: await loaded() }))
  const Shown = () => {
    // The component must stay the same while it is shown; a different one would be mounted anew.
    const [Shown] = useState(() => Page ?? Later)
    return createElement(Shown)
  }
  return Object.assign(Shown, { preload: () => (Page ? undefined : loaded()) })
}

/** The routes from the root to this one. */
export function ancestorsOf(route: Route): Route[] {
  return route.parent ? [...ancestorsOf(route.parent), route] : [route]
}

export function descendantsOf(route: Route): Route[] {
  return [route, ...route.children.flatMap(descendantsOf)]
}
