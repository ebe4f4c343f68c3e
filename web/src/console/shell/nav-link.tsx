import { Link, useRouterState } from '@tanstack/react-router'
import { numberText } from '../../lib/times.ts'
import type { Icon } from '../../ui/icon.tsx'

interface NavLinkProps {
  /** Below `/desk`: `/mine`, `/department-3`. */
  to: string
  label: string
  icon: Icon
  /** How many; its place is kept while it is being counted. */
  count?: number | undefined
  /** Something is too late. */
  isHot?: boolean
  /** Addresses below which it is current as well. */
  also?: string[]
}

/** A row of the navigation. On the rail its name is a tooltip. */
export function NavLink({ to, label, icon: Shown, count, isHot, also }: NavLinkProps) {
  const isCurrent = useRouterState({
    select: state => [to, ...(also ?? [])].some(path => isBelow(state.location.pathname, path))
  })
  return (
    <Link to={to} className="nav-item" aria-current={isCurrent ? 'page' : undefined} data-tip={label} data-tip-rail>
      <Shown size={16} aria-hidden />
      <span className="label cut">{label}</span>
      {count !== undefined && count > 0 && <span className={isHot ? 'count hot' : 'count'}>{numberText(count)}</span>}
    </Link>
  )
}

function isBelow(pathname: string, path: string): boolean {
  const own = pathname.replace(/^\/desk(?=\/|$)/, '')
  return own === path || own.startsWith(`${path}/`)
}
