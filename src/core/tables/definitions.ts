/** Definitions that name others. */
export type UsingKind = 'view' | 'sla_policy' | 'macro' | 'rule' | 'ticket_form'

/** What definitions name: other definitions, and the people and things that conditions are about. */
export type DefinitionKind =
  | UsingKind
  | 'department'
  | 'staff'
  | 'tag'
  | 'client'
  | 'organisation'
  | 'calendar'
  | 'webhook'
  | 'field'

export interface DefinitionTables {
  definition_uses: DefinitionUseTable
}

/** What definitions name. Departments by their deptid. */
interface DefinitionUseTable {
  used_kind: DefinitionKind
  used_id: number
  by_kind: UsingKind
  by_id: number
  /** Where in the definition: `conditions.all.0.any.1`. */
  where: string
}
