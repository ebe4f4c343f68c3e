import type { Command } from 'commander'
import { settings } from '../../core/config.ts'
import { withSecretFiles } from '../../lib/secret-files.ts'
import { InvalidSetting } from '../../lib/setting.ts'
import { createAdmin, replaceAdminPassword } from '../../people/staff/first-admin.ts'
import { optionParser } from './option-parser.ts'
import { readSecret } from './read-secret.ts'
import { printLine, withServices } from './with-services.ts'

interface Options {
  email: string
  firstName: string
  lastName: string
  replace?: true
}

export function createAdminCommand(command: Command): void {
  command
    .requiredOption('--email <address>', 'e-mail address to log in with', optionParser(settings.ADMIN_EMAIL.read))
    .option('--first-name <name>', 'first name', optionParser(name), 'Support')
    .option('--last-name <name>', 'last name', optionParser(name), 'Admin')
    .option('--replace', 'set a new password for an existing admin, and end their sessions')
    .action(async ({ email, firstName, lastName, replace }: Options) => {
      const password = await newPassword()
      // Both are checked above, not as the pair of settings that `serve` reads.
      const own = { ADMIN_EMAIL: undefined, ADMIN_PASSWORD: undefined, ADMIN_PASSWORD_FILE: undefined }
      await withServices(
        async services => {
          if (replace) await replaceAdminPassword(services, { email, password })
          else await createAdmin(services, { email, password, firstName, lastName })
          printLine(replace ? `The admin ${email} has a new password.` : `Created the admin ${email}.`)
        },
        { ...process.env, ...own }
      )
    })
}

async function newPassword(): Promise<string> {
  const { environment, faults } = withSecretFiles(process.env, ['ADMIN_PASSWORD'])
  if (faults[0]) throw new InvalidSetting(`${faults[0]}.`)
  const password = environment.ADMIN_PASSWORD || (await readSecret('Password: '))
  try {
    settings.ADMIN_PASSWORD.read(password)
    return password
  } catch (error) {
    throw error instanceof InvalidSetting ? new InvalidSetting(`The password ${error.message}.`) : error
  }
}

function name(given: string): string {
  const trimmed = given.trim()
  if (trimmed !== '' && [...trimmed].length <= 100) return trimmed
  throw new InvalidSetting('must have 1 to 100 characters')
}
