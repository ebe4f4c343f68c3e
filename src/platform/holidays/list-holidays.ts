import Holidays from 'date-holidays'
import type { HolidayAnswer, HolidayQuestion, Place } from './holidays.ts'

// Answers one question, and ends.

const dayMilliseconds = 86_400_000
/** No holiday is longer. */
const mostDaysOfOne = 31

const answer = answerOf(JSON.parse(process.argv[2]!))
process.send!(answer, () => process.disconnect())

function answerOf({ country, region, year, language }: HolidayQuestion): HolidayAnswer {
  const all = new Holidays()
  const countries = placesOf(all.getCountries(language))
  const isKnown = country !== undefined && countries.some(({ code }) => code === country)
  const regions = isKnown ? placesOf(all.getStates(country, language)) : []
  if (!isKnown || year === undefined) return { countries, regions, days: [] }

  const holidays = new Holidays(country, region ?? '', '', { types: ['public'] })
  const names = new Map<string, Set<string>>()
  for (const { date, start, end, name } of holidays.getHolidays(year, language)) {
    const first = Date.parse(`${date.slice(0, 10)}T00:00:00Z`)
    // To the nearest day: a day on which the clock changes has 23 or 25 hours.
    const length = Math.max(1, Math.round((end.getTime() - start.getTime()) / dayMilliseconds))
    for (let day = 0; day < Math.min(length, mostDaysOfOne); day += 1) {
      const local = new Date(first + day * dayMilliseconds).toISOString().slice(0, 10)
      names.set(local, (names.get(local) ?? new Set()).add(name))
    }
  }
  const days = [...names].map(([date, of]) => ({ date, name: [...of].join(', ').slice(0, 100) }))
  return {
    countries,
    regions,
    days: days.filter(ofYear(year)).toSorted((one, other) => (one.date < other.date ? -1 : 1))
  }
}

function placesOf(names: Record<string, string> | undefined): Place[] {
  return Object.entries(names ?? {})
    .map(([code, name]) => ({ code, name }))
    .toSorted((one, other) => one.name.localeCompare(other.name))
}

function ofYear(year: number) {
  return ({ date }: { date: string }) => date.startsWith(`${year}-`)
}
