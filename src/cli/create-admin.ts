import { type Command, InvalidArgumentError } from 'commander'
import { settings } from '../config.ts'
import { Unfit } from '../lib/setting.ts'
import { createAdmin, replaceAdminPassword } from '../staff/first-admin.ts'
import { readSecret } from './read-secret.ts'
import { say, withServices } from './world.ts'

interface Options {
  email: string
  firstName: string
  lastName: string
  replace?: true
}

export function createAdminCommand(program: Command): void {
  program
    .command('create-admin')
    .description(
      'create an admin; the password is read from ADMIN_PASSWORD, else asked for or read from standard input'
    )
    .requiredOption('--email <address>', 'e-mail address to log in with', fit(settings.ADMIN_EMAIL.read))
    .option('--first-name <name>', 'first name', fit(name), 'Support')
    .option('--last-name <name>', 'last name', fit(name), 'Admin')
    .option('--replace', 'give an admin who exists this password instead, and end the sessions of the old one')
    .action(async ({ email, firstName, lastName, replace }: Options) => {
      const password = await newPassword()
      // Both are judged above, and not as the pair of settings that `serve` reads.
      const environment = { ...process.env, ADMIN_EMAIL: undefined, ADMIN_PASSWORD: undefined }
      await withServices(async services => {
        if (replace) await replaceAdminPassword(services, { email, password })
        else await createAdmin(services, { email, password, firstName, lastName })
        say(replace ? `The admin ${email} has a new password.` : `Created the admin ${email}.`)
      }, environment)
    })
}

async function newPassword(): Promise<string> {
  const password = process.env.ADMIN_PASSWORD || (await readSecret('Password: '))
  try {
    settings.ADMIN_PASSWORD.read(password)
    return password
  } catch (error) {
    throw error instanceof Unfit ? new Unfit(`The password ${error.message}.`) : error
  }
}

function name(given: string): string {
  const trimmed = given.trim()
  if (trimmed !== '' && [...trimmed].length <= 100) return trimmed
  throw new Unfit('must have 1 to 100 characters')
}

/** What a reader of settings refuses, in the words that commander prints. */
function fit<T>(read: (given: string) => T): (given: string) => T {
  return given => {
    try {
      return read(given)
    } catch (error) {
      throw error instanceof Unfit ? new InvalidArgumentError(`It ${error.message}.`) : error
    }
  }
}
