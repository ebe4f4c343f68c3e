import { useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { Outlet, useRouteId } from '../../router/react.tsx'
import { useTitle } from '../../ui/page.tsx'
import { pageAccess } from '../page-access.ts'
import { useIsPhone } from '../use-layout.ts'
import styles from './admin-frame.module.css'
import { SideList } from './side-list.tsx'

/** The list of the administration beside its page. It stays while one goes from page to page; on phones it is the page `/admin`. */
export function AdminFrame() {
  const isList = useRouteId() === '/admin'
  const isPhone = useIsPhone()
  const hasList = pageAccess.administration(useMe())
  if (isPhone || !hasList) return isList && hasList ? <Groups /> : <Outlet />
  return (
    <div className={styles.frame}>
      <SideList isPage={false} />
      {/* The skip link leads past the list. */}
      <div id="content" tabIndex={-1} className={styles.content}>
        <Outlet />
      </div>
    </div>
  )
}

function Groups() {
  useTitle(t('admin.administration'))
  return (
    <div className={`page ${styles.groups}`}>
      <SideList isPage />
    </div>
  )
}
