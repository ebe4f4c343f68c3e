import type { Right } from '../../app/account/rights-grid.tsx'
import { type Permission, permissions } from '../../app/me.ts'
import { type Key, t } from '../../lib/strings.ts'

/** In the order of the page: what is used most comes first. */
const groups = ['tickets', 'clients', 'departments', 'staff']

/** All rights in their groups; `missing` says why one of them cannot be given. */
export function allRights(missing: (slug: Permission) => string | false = () => false): Right[] {
  return groups.flatMap(group =>
    permissions
      .filter(slug => slug.startsWith(`${group}.`))
      .map(slug => ({
        slug,
        group: t(`admin.group.${group}` as Key),
        name: t(`admin.permission.${slug}`),
        means: t(`admin.permission.${slug}.means` as Key),
        missing: missing(slug) || undefined
      }))
  )
}
