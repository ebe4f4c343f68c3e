import type { ColumnType, Generated, RawBuilder } from 'kysely'
import type { CreatedAt, Id } from './columns.ts'

export interface CalendarTables {
  calendars: CalendarTable
  calendar_weeks: CalendarWeekTable
  calendar_days: CalendarDayTable
}

interface CalendarTable {
  id: Id
  name: string
  time_zone: string
  is_always: Generated<boolean>
  is_default: Generated<boolean>
  is_archived: Generated<boolean>
  created_at: CreatedAt
  updated_at: CreatedAt
  version: Generated<number>
  revision: ColumnType<string, never, RawBuilder<string>>
}

/** JSON, which is written as text: PostgreSQL would take a list for an array. */
type Hours = ColumnType<unknown, string, string>

/** Dates are written and compared as text; to read one, cast it. */
interface CalendarWeekTable {
  calendar_id: number
  valid_from: ColumnType<unknown, string | null, never>
  hours: Hours
}

interface CalendarDayTable {
  calendar_id: number
  date: ColumnType<unknown, string, never>
  name: string
  hours: Hours
}
