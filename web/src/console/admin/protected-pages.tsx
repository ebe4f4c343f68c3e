import type { ComponentType } from 'react'
import { type Me, useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { useTitle } from '../../ui/page.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import type { PathOf } from '../pages.ts'
import { rootRoute } from '../root-route.ts'
import { createRoute, type LazyPage, lazyRouteComponent, type Route, type RouteOptions } from '../router/routes.ts'

type Load<Name extends string> = () => Promise<Record<Name, ComponentType>>

/** Makes pages for some of the staff that need these words. */
export function protectedPages(strings: () => unknown) {
  return <Path extends string, Name extends string>(
    path: Path & PathOf<'', Path>,
    isFor: (me: Me) => boolean,
    load: Load<Name>,
    name: Name,
    options: Omit<RouteOptions, 'component'> = {}
  ): Route<Path> =>
    // That there is such a page is checked where this is called.
    createRoute(rootRoute, path as never, {
      beforeLoad: strings,
      ...options,
      component: protectedPage(isFor, lazyRouteComponent(load, name))
    })
}

/** A page for some: others who come by its address are told so, and nothing of it is loaded. */
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
