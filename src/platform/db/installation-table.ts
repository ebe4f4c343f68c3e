import type { Generated } from 'kysely'

/** The platform's own tables in a database. */
export interface InstallationTables {
  installation: InstallationTable
}

interface InstallationTable {
  is_only: Generated<boolean>
  id: Generated<string>
  location: string | null
  former_ids: Generated<string[]>
  copied_from: Generated<string[]>
  last_sweep: unknown
  swept_at: Date | null
}
