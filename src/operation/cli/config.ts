import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { system } from '../../core/actor.ts'
import { inputPlan, readInput } from '../../kit/input.ts'
import type { Config } from '../config-file/config-schemas.ts'
import { importConfigFile } from '../config-file/endpoints/admin-config-import.ts'
import { exportConfig } from '../config-file/export-config.ts'
import { importConfig } from '../config-file/import-config.ts'
import { printJson, printLine, withServices } from './with-services.ts'

export function configCommand(command: Command): void {
  command
    .command('export')
    .description('print all definitions as JSON, with names instead of ids')
    .action(() => withServices(async ({ db }) => printJson(await exportConfig(db))))
  command
    .command('import')
    .description('create or change the definitions that the file names; exits with 1 if any is refused')
    .argument('<file>', 'what "deskline config export" has printed, or a part of it')
    .option('--dry-run', 'tell what would change, and write nothing')
    .action((file: string, { dryRun: isDryRun = false }: { dryRun?: boolean }) =>
      withServices(async services => {
        const config = await configIn(file)
        const caller = { ip: null, requestId: null }
        const done = await importConfig({ services, actor: system, caller }, { config, isDryRun })
        for (const { kind, name, outcome } of done.changes) printLine(`${outcome} ${kind} ${name}`)
        for (const { kind, name, reason } of done.refused) printLine(`refused ${kind} ${name}: ${reason}`)
        const { created, updated, unchanged, refused } = done
        const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${refused.length} refused`
        printLine(isDryRun ? `${counts}; nothing was written.` : `${counts}.`)
        if (refused.length > 0) process.exitCode = 1
      })
    )
}

/** Reads the file as the API reads the same in a request. */
async function configIn(file: string): Promise<Config> {
  let config: unknown
  try {
    config = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw error instanceof SyntaxError ? new Error(`${file} is not valid JSON: ${error.message}`) : error
  }
  const sent = new Map([['config', [{ value: config, isText: false }]]])
  return readInput(inputPlan(importConfigFile), sent, undefined).config as Config
}
