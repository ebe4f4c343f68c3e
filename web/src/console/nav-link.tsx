import { numberText } from '../lib/times.ts'
import { useRouterLocation } from '../router/react.tsx'
import type { Icon } from '../ui/icon.tsx'
import type { Address } from './addresses.ts'
import { Link } from './navigation.ts'

interface NavLinkProps {
  /** `/mine`, `/department-3`. */
  to: Address
  label: string
  icon: Icon
  /** The count; its space is kept while it is being loaded. */
  count?: number | undefined
  /** Marks the count as overdue. */
  isHot?: boolean
  /** Whether the link is current at a path, where that is not its own or below. */
  isAt?: ((path: string) => boolean) | undefined
}

/** An item of the navigation. On the rail its name is a tooltip. */
export function NavLink({ to, label, icon: Shown, count, isHot, isAt }: NavLinkProps) {
  const isCurrent = useRouterLocation(({ path }) => isAt?.(path) ?? isBelow(path, to))
  return (
    <Link to={to} className="nav-item" aria-current={isCurrent ? 'page' : undefined} data-tip={label} data-tip-rail>
      <Shown size={16} aria-hidden />
      <span className="label cut">{label}</span>
      {count !== undefined && count > 0 && <span className={isHot ? 'count hot' : 'count'}>{numberText(count)}</span>}
    </Link>
  )
}

function isBelow(own: string, path: string): boolean {
  return own === path || own.startsWith(`${path}/`)
}
