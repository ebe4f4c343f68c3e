import type { ComponentType } from 'react'
import { type Me, useMe } from '../app/me.ts'
import { t } from '../lib/strings.ts'
import { type LazyPage, lazyRouteComponent, type Route, type RouteOptions } from '../router/routes.ts'
import { useTitle } from '../ui/page.tsx'
import { StateMessage } from '../ui/state-message.tsx'
import type { PathOf } from './addresses.ts'
import { createRoute } from './navigation.ts'
import { rootRoute } from './root-route.ts'

type Load<Name extends string> = () => Promise<Record<Name, ComponentType>>

/** Creates pages that only some of the staff may see, and that need these strings; `frame` surrounds each of them. */
export function protectedPages(strings: () => unknown, frame: Route<''> = rootRoute) {
  return <Path extends string, Name extends string>(
    path: Path & PathOf<'', Path>,
    isFor: (me: Me) => boolean,
    load: Load<Name>,
    name: Name,
    options: Omit<RouteOptions, 'component'> = {}
  ): Route<Path> =>
    // The caller's type checks that there is such a path.
    createRoute(frame, path as never, {
      beforeLoad: strings,
      ...options,
      component: protectedPage(isFor, lazyRouteComponent(load, name))
    })
}

/** A page that only some of the staff may see: others see that it is forbidden, and its code is not loaded. */
export function protectedPage(isFor: (me: Me) => boolean, Page: LazyPage): LazyPage {
  function ProtectedPage() {
    return isFor(useMe()) ? <Page /> : <Forbidden />
  }
  return Object.assign(ProtectedPage, { preload: Page.preload })
}

function Forbidden() {
  useTitle(t('ui.forbiddenTitle'))
  return (
    <div className="page">
      <StateMessage kind="403" heading="h1" title={t('ui.forbiddenTitle')} text={t('ui.forbiddenText')} />
    </div>
  )
}
