import { constants, setPriority } from 'node:os'
import { type Config, readConfig } from '../../core/config.ts'
import type { Services } from '../../core/services.ts'
import { type Log, makeLog } from '../../platform/log.ts'
import { terminalAt } from '../../platform/terminal.ts'
import { type InstallationOptions, openInstallation } from '../installation.ts'

/** Runs a command on the installation that the environment describes, whether its server is running or not. */
export async function withServices<T>(
  work: (services: Services) => Promise<T>,
  environment: NodeJS.ProcessEnv = process.env,
  { schema = 'require' }: Partial<Pick<InstallationOptions, 'schema'>> = {}
): Promise<T> {
  const config = readConfig(environment)
  const installation = await openInstallation(config, commandLog(config), { as: 'visitor', schema })
  try {
    return await work(installation.services)
  } finally {
    await installation.close()
  }
}

/** Standard output is the command's own: the log goes to standard error, and only warnings unless LOG_LEVEL is set. */
export function commandLog(config: Config): Log {
  return makeLog(process.env.LOG_LEVEL?.trim() ? config.LOG_LEVEL : 'warn', 'stderr', terminalAt(2, process.env))
}

/** Lets the processes that answer requests go first on the cores that this command shares with them. */
export function letRequestsGoFirst(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // A container may not allow it: then it runs like the others.
  }
}

/** For programs: the whole result as one value. */
export function printJson(value: unknown): void {
  printLine(JSON.stringify(value, null, 2))
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Information for a person that is not part of the command's output. */
export function printNotice(line: string): void {
  process.stderr.write(`${line}\n`)
}
