import { InvalidArgumentError } from 'commander'
import { Unfit } from '../lib/setting.ts'

/** Reports the errors of a settings parser as commander's. */
export function fit<T>(read: (given: string) => T): (given: string) => T {
  return given => {
    try {
      return read(given)
    } catch (error) {
      throw error instanceof Unfit ? new InvalidArgumentError(`It ${error.message}.`) : error
    }
  }
}
