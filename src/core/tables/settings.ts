import type { ColumnType, Generated } from 'kysely'
import type { CreatedAt } from './columns.ts'

export interface SettingTables {
  desk_settings: DeskSettingTable
  desk_logo: DeskLogoTable
  email_templates: EmailTemplateTable
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

/** Templates that admins have changed; all others are those of the catalogue. */
interface EmailTemplateTable {
  name: string
  language: 'en' | 'de'
  subject: string
  text: string
  updated_at: Date
}
