import { InvalidArgumentError } from 'commander'
import { InvalidSetting } from '../../lib/setting.ts'

/** Reports the errors of a settings parser as commander's. */
export function optionParser<T>(read: (given: string) => T): (given: string) => T {
  return given => {
    try {
      return read(given)
    } catch (error) {
      throw error instanceof InvalidSetting ? new InvalidArgumentError(`It ${error.message}.`) : error
    }
  }
}
