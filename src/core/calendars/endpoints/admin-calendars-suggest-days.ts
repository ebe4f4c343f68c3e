import { Type } from 'typebox'
import { OneOf, OutputText } from '../../../kit/schemas.ts'
import { endpoint } from '../../endpoint.ts'
import { languages } from '../../wording/languages.ts'
import { DayView, Year } from '../calendar-schemas.ts'
import { suggestDays } from '../suggest-days.ts'

const Code = (example: string) =>
  Type.String({ minLength: 1, maxLength: 10, pattern: '^[A-Z0-9-]+$', examples: [example] })
const Places = (code: string, name: string) =>
  Type.Array(Type.Object({ code: OutputText(code), name: OutputText(name) }))

/** Public holidays to take over into a calendar; without a country the countries, without a year the regions of the country. */
export const suggestCalendarDays = endpoint({
  path: '/api/admin/calendars/suggest-days',
  summary: 'Suggest the public holidays of a country',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({
    country: Type.Optional(Code('DE')),
    region: Type.Optional(Code('BE')),
    year: Type.Optional(Year),
    language: Type.Optional(OneOf(languages))
  }),
  data: Type.Object({
    countries: Places('DE', 'Germany'),
    regions: Places('BE', 'Berlin'),
    days: Type.Array(DayView)
  }),
  async handle({ body: { language = 'en', ...body } }) {
    return { message: 'Suggested days', data: await suggestDays({ ...body, language }) }
  }
})
