import { type ComponentProps, useEffect, useRef } from 'react'
import { type Me, useMe } from '../../app/me.ts'
import { type Key, t } from '../../lib/strings.ts'
import { Page } from '../../ui/page.tsx'
import type { Address } from '../addresses.ts'
import { Link } from '../navigation.ts'
import { pageAccess } from '../page-access.ts'
import { stepCount, useOnboardingDismissed, useOnboardingSteps } from './onboarding-steps.ts'
import tables from './tables.module.css'

const places = [
  { to: '/start', label: 'admin.firstSteps', isFor: pageAccess.admins },
  { to: '/staff', label: 'admin.staff', isFor: pageAccess.staff },
  { to: '/departments', label: 'admin.departments', isFor: pageAccess.departments },
  { to: '/tags', label: 'admin.tags', isFor: pageAccess.tags },
  { to: '/settings', label: 'admin.settings', isFor: () => true },
  { to: '/webhooks', label: 'admin.webhooks', isFor: pageAccess.admins },
  { to: '/audit', label: 'admin.auditLog', isFor: pageAccess.admins },
  { to: '/trash', label: 'admin.trash', isFor: pageAccess.trash }
] as const satisfies readonly { to: Address; label: Key; isFor: (me: Me) => boolean }[]

/** A page of the administration, with links to the sibling pages that this person may see. */
export function AdminPage(props: Omit<ComponentProps<typeof Page>, 'tabs' | 'tabsLabel'>) {
  const me = useMe()
  const steps = useOnboardingSteps()
  const isStartOver = useOnboardingDismissed() || steps === undefined || steps.done === stepCount
  const links = useRef<HTMLSpanElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: with the first steps the others move.
  useEffect(() => show(links.current?.querySelector('[aria-current]')), [isStartOver])
  return (
    <Page
      {...props}
      tabsLabel={t('admin.administration')}
      tabs={
        // biome-ignore lint/a11y/noStaticElementInteractions: it only looks at where the focus goes.
        <span ref={links} className={tables.tabs} onFocus={({ target }) => show(target)}>
          {places
            .filter(({ to, isFor }) => isFor(me) && !(to === '/start' && isStartOver))
            .map(({ to, label }) => (
              <Link key={to} to={to}>
                {t(label)}
              </Link>
            ))}
        </span>
      }
    />
  )
}

/** If not all links fit, browsers may leave a focused link partly hidden. */
function show(link: Element | null | undefined): void {
  link?.scrollIntoView({ block: 'nearest' })
}
