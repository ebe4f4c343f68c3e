import { useApiQuery } from '../../app/api-queries.ts'
import { useMe } from '../../app/me.ts'
import { nameOf } from '../../lib/person-name.ts'

export interface Colleague {
  id: number
  name: string
  departments: readonly { deptid: number }[] | null
  away_until: string | null
}

/** The possible assignees, oneself first; only oneself without the permission to assign to others. */
export function useColleagues(): Colleague[] {
  const me = useMe()
  const { data } = useApiQuery(
    '/api/admin/colleagues/list',
    { limit: 1000 },
    { enabled: me.can('tickets.edit_status'), staleTime: 60_000 }
  )
  const others = (data?.colleagues ?? []).filter(({ id }) => id !== me.id)
  const own = data?.colleagues.find(({ id }) => id === me.id)
  return [
    { id: me.id, name: me.name, departments: own?.departments ?? null, away_until: own?.away_until ?? null },
    ...others.map(({ departments, away_until, ...other }) => ({
      id: other.id,
      name: nameOf(other),
      departments,
      away_until
    }))
  ]
}
