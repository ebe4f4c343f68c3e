import { type Me, useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { useTitle } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import type { LazyPage } from '../router/routes.ts'

/** A page for some: others who come by its address are told so, and nothing of it is loaded. */
export function guarded(isFor: (me: Me) => boolean, Page: LazyPage): LazyPage {
  function Guarded() {
    return isFor(useMe()) ? <Page /> : <Forbidden />
  }
  return Object.assign(Guarded, { preload: Page.preload })
}

function Forbidden() {
  useTitle(t('ui.forbiddenTitle'))
  return (
    <div className="page">
      <State kind="403" heading="h1" title={t('ui.forbiddenTitle')} text={t('ui.forbiddenText')} />
    </div>
  )
}
