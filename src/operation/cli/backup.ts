import type { Command } from 'commander'
import { readConfig } from '../../core/config.ts'
import type { Digests } from '../backup/archive.ts'
import { backUpInstallation } from '../backup/back-up-installation.ts'
import { counted, progress, readableBytes } from './progress.ts'
import { commandLog, letRequestsGoFirst, printNotice } from './with-services.ts'

export function backupCommand(command: Command): void {
  command
    .argument('<file>', 'where to; - is standard output')
    .option('--without-key', 'leave the key file out; store it elsewhere, since a backup is of little use without it')
    .option('--force', 'overwrite an existing file, once the new one is complete')
    .action(async (file: string, { withoutKey = false, force = false }: { withoutKey?: boolean; force?: boolean }) => {
      letRequestsGoFirst()
      const config = readConfig(process.env)
      const isPiped = file === '-'
      // The reader of the pipe may close it, which ends the program at any point.
      if (isPiped) process.exitCode = 1
      const bar = progress()
      const to = isPiped ? process.stdout : file
      const { digests, hasKey } = await backUpInstallation(config, commandLog(config), {
        to,
        withoutKey,
        force,
        tell: bar.show
      }).finally(bar.clear)
      for (const line of report(isPiped ? 'standard output' : file, digests, hasKey)) printNotice(line)
      process.exitCode = 0
    })
}

function* report(place: string, { tables, files }: Digests, hasKey: boolean): Generator<string> {
  const rows = Object.values(tables).reduce((sum, tally) => sum + tally.rows, 0)
  yield `Wrote ${counted(rows, 'row')} and ${counted(files.count, 'file')} (${readableBytes(files.bytes)}) to ${place}.`
  yield hasKey
    ? 'The key file is in it: keep it as safe as the passwords of your clients.'
    : 'The application secret (APP_SECRET, or the key file) is not in it, and is needed to restore it: keep it too.'
  yield* missingFiles(files)
}

/** What was wrong with files before they were copied. */
export function* missingFiles({ missing, missingCount, damaged, damagedCount }: Digests['files']): Generator<string> {
  if (missingCount > 0) yield `Missing: ${counted(missingCount, 'file')} that tickets name, such as ${missing[0]}.`
  if (damagedCount > 0)
    yield `Damaged: ${counted(damagedCount, 'file')} not as they were stored, such as ${damaged[0]}.`
}
