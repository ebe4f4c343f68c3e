import type { Generated } from 'kysely'

export interface ClockTables {
  desk_clock: { is_only: Generated<boolean>; moved_to: Date | null }
  due_work_lease: { is_only: Generated<boolean>; holder: string | null; leased_until: Date | null }
}
