import type { Generated, Selectable } from 'kysely'
import type { ActorType, CreatedAt } from './columns.ts'

export interface DepartmentTables {
  departments: DepartmentTable
  department_members: { department_id: number; staff_id: number; created_at: CreatedAt }
  department_moves: DepartmentMoveTable
  /** Whose turn it is where tickets are assigned in turn: the next one after this member of staff. */
  round_robins: { department_id: number; last_id: number }
}

interface DepartmentTable {
  id: Generated<number>
  deptid: number
  name: string
  description: string | null
  is_active: Generated<boolean>
  created_at: CreatedAt
  version: Generated<number>
}
export type DepartmentRow = Selectable<DepartmentTable>

/** A department that is deleted once its tickets are in another one. */
interface DepartmentMoveTable {
  department_id: number
  to_department_id: number
  was_active: boolean
  actor_type: ActorType
  actor_id: number | null
  actor_name: string
  ip_address: string | null
  request_id: string | null
  tickets_moved: Generated<number>
  created_at: Date
  /** When tickets were last moved. */
  worked_at: Date
}
