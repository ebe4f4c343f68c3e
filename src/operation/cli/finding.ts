import { reasonOf } from '../../platform/db/wait-for-database.ts'

/** One result of `doctor`. */
export interface Finding {
  verdict: 'ok' | 'warn' | 'fail'
  about: string
  /** One sentence. */
  text: string
}

/** A success with the text that `work` returns, or a failure with the error that it throws. */
export async function findingOf(about: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return { verdict: 'ok', about, text: await work() }
  } catch (error) {
    return { verdict: 'fail', about, text: reasonOf(error) }
  }
}
