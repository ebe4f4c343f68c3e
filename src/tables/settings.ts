import type { ColumnType, Generated } from 'kysely'
import type { CreatedAt } from './columns.ts'

export interface SettingTables {
  desk_settings: DeskSettingTable
  desk_logo: DeskLogoTable
}

interface DeskSettingTable {
  name: string
  value: ColumnType<unknown, string, string>
  updated_at: CreatedAt
}

interface DeskLogoTable {
  is_only: Generated<boolean>
  content: Buffer
  type: string
  sha256: string
  uploaded_at: Date
}
