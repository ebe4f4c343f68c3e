import { CalendarView, DayView, HoursView, StepView, WeekView } from '../../core/calendars/calendar-schemas.ts'
import { listCalendars } from '../../core/calendars/endpoints/admin-calendars-list.ts'
import { itemOf } from './model-parts.ts'

/** The models of calendars, by their names in the document. */
export const calendarModels = {
  Calendar: CalendarView,
  CalendarDay: DayView,
  CalendarHours: HoursView,
  CalendarListed: itemOf(listCalendars, 'calendars'),
  CalendarStep: StepView,
  CalendarWeek: WeekView
}
