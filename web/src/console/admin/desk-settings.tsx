import type { DataOf } from '@deskline/client'
import type { ReactNode } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { QueryState } from '../../app/query-state.tsx'

const path = '/api/admin/settings/detail'

/** The settings of the desk with their version, once they are loaded. */
export function DeskSettings({ children }: { children: (settings: DataOf<typeof path>) => ReactNode }) {
  return <QueryState query={useApiQuery(path, {})}>{children}</QueryState>
}
