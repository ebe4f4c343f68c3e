import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pLimit from 'p-limit'

/** A place as holidays know it: a country by its ISO 3166 code, a part of it by that of its own. */
export interface Place {
  code: string
  name: string
}

export interface HolidayQuestion {
  country?: string | undefined
  region?: string | undefined
  year?: number | undefined
  language: 'en' | 'de'
}

/** All countries; the regions of the country; its public holidays in the year, by local date, in order. */
export interface HolidayAnswer {
  countries: Place[]
  regions: Place[]
  days: { date: string; name: string }[]
}

const program = join(import.meta.dirname, 'list-holidays.ts')
const answerWithinMilliseconds = 15_000
/** The data take 80 MB: one process at a time. */
const oneAtATime = pLimit(1)

/** Asks a process that ends then: the data of all countries are not to stay in the memory of a server. */
export async function askForHolidays(question: HolidayQuestion): Promise<HolidayAnswer> {
  return await oneAtATime(async () => {
    const child = fork(program, [JSON.stringify(question)], {
      execArgv: [],
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      signal: AbortSignal.timeout(answerWithinMilliseconds)
    })
    try {
      const exited = once(child, 'exit').then(() => {
        throw new Error('The list of holidays could not be read')
      })
      const [answer] = await Promise.race([once(child, 'message'), exited])
      return answer as HolidayAnswer
    } finally {
      child.kill('SIGKILL')
    }
  })
}
