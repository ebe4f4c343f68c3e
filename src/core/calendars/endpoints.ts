import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { archiveCalendar } from './endpoints/admin-calendars-archive.ts'
import { createCalendar } from './endpoints/admin-calendars-create.ts'
import { setCalendarDays } from './endpoints/admin-calendars-days.ts'
import { deleteCalendar } from './endpoints/admin-calendars-delete.ts'
import { showCalendar } from './endpoints/admin-calendars-detail.ts'
import { listCalendars } from './endpoints/admin-calendars-list.ts'
import { previewCalendar } from './endpoints/admin-calendars-preview.ts'
import { suggestCalendarDays } from './endpoints/admin-calendars-suggest-days.ts'
import { unarchiveCalendar } from './endpoints/admin-calendars-unarchive.ts'
import { updateCalendar } from './endpoints/admin-calendars-update.ts'

export const calendarsEndpoints: readonly AnyEndpoint[] = [
  listCalendars,
  showCalendar,
  createCalendar,
  updateCalendar,
  setCalendarDays,
  suggestCalendarDays,
  archiveCalendar,
  unarchiveCalendar,
  deleteCalendar,
  previewCalendar
]
