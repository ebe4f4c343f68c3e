import { reasonOf } from '../platform/db/reach.ts'

/** What `doctor` has found out about one thing. */
export interface Finding {
  verdict: 'ok' | 'warn' | 'fail'
  about: string
  /** One sentence. */
  text: string
}

/** What this work answers is fine; what it throws is what is wrong. */
export async function tried(about: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return { verdict: 'ok', about, text: await work() }
  } catch (error) {
    return { verdict: 'fail', about, text: reasonOf(error) }
  }
}
