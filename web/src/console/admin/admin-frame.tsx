import { useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { Outlet, useRouteId } from '../../router/react.tsx'
import { useTitle } from '../../ui/page.tsx'
import { pageAccess } from '../page-access.ts'
import { useIsPhone } from '../use-layout.ts'
import styles from './admin-frame.module.css'
import { SideList } from './side-list.tsx'

/**
 * The list of the administration beside its page. It stays while one goes from page to page; on phones it is the page `/admin`. The page is at
 * the same place of the tree in both: what somebody has typed stays when a window becomes narrow.
 */
export function AdminFrame() {
  const isList = useRouteId() === '/admin'
  const isPhone = useIsPhone()
  const hasList = pageAccess.administration(useMe())
  const isBeside = hasList && !isPhone
  return (
    <div className={isBeside ? styles.frame : styles.alone}>
      {isBeside && <SideList isPage={false} />}
      {/* The skip link leads past the list. */}
      <div className={isBeside ? styles.content : styles.alone} {...(isBeside && { id: 'content', tabIndex: -1 })}>
        {isList && hasList && isPhone ? <Groups /> : <Outlet />}
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
