import { InvalidFields } from '../../kit/errors.ts'
import { askForHolidays, type HolidayQuestion } from '../../platform/holidays/holidays.ts'

/**
 * The public holidays of a country or a region in a year, as days that an admin may take over; without a country or a year the countries and
 * regions to choose from. Throws `InvalidFields` for places that are not known.
 */
export async function suggestDays(question: HolidayQuestion) {
  const { country, region, year } = question
  const { countries, regions, days } = await askForHolidays(question)
  if (country !== undefined && !countries.some(({ code }) => code === country)) {
    throw InvalidFields({ message: `There are no holidays of a country ${country}`, errors: ['country'] })
  }
  if (region !== undefined && !regions.some(({ code }) => code === region)) {
    throw InvalidFields({ message: `${country ?? 'No country'} has no region ${region}`, errors: ['region'] })
  }
  if (country === undefined && year !== undefined) {
    throw InvalidFields({ message: 'Name the country as well', errors: ['country'] })
  }
  return {
    countries: country === undefined ? countries : [],
    regions,
    days: days.map(day => ({ ...day, hours: [] }))
  }
}
