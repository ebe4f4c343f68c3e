import { ArrowLeft } from 'lucide-react'
import type { ComponentProps } from 'react'
import { t } from '../../lib/strings.ts'
import { Page } from '../../ui/page.tsx'
import type { Address } from '../addresses.ts'
import { Link } from '../navigation.ts'
import styles from './admin-page.module.css'

type AdminPageProps = Omit<ComponentProps<typeof Page>, 'tabs' | 'tabsLabel' | 'back'> & {
  /** The page above, where it is not the list of the administration. */
  above?: { to: Address; label: string }
  /** False where a pane of the page has its own way back. */
  hasBack?: boolean
}

/** A page of the administration. On phones, where the list is not beside it, a link leads back to that. */
export function AdminPage({ above, hasBack = true, ...props }: AdminPageProps) {
  const back = (
    <Link
      to={above?.to ?? '/admin'}
      aria-current={false}
      className={above ? 'back-link' : `back-link ${styles.onPhones}`}
    >
      <ArrowLeft size={16} aria-hidden /> {above?.label ?? t('admin.administration')}
    </Link>
  )
  return <Page {...props} back={hasBack && back} />
}
