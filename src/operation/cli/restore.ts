import type { Command } from 'commander'
import { type Config, readConfig } from '../../core/config.ts'
import { readKeyFile } from '../../platform/secrets/key-file.ts'
import { type CheckedArchive, checkArchive } from '../backup/check-archive.ts'
import { restoreInstallation } from '../backup/restore-installation.ts'
import { areFor, fittingSecrets } from '../backup/secrets.ts'
import { databaseName, keyFilePath } from '../installation.ts'
import { missingFiles } from './backup.ts'
import { counted, progress } from './progress.ts'
import { commandLog, printJson, printLine, printNotice } from './with-services.ts'

export function restoreCommand(command: Command): void {
  command
    .argument('<file>', 'what "deskline backup" wrote')
    .option(
      '--adopt-files',
      'take over files of the original installation that are already here; only if that installation no longer exists'
    )
    .option('--check', 'only verify that the archive is complete')
    .option('--json', 'with --check: print the contents as JSON')
    .action(async (file: string, { check, adoptFiles, json }: { check?: true; adoptFiles?: true; json?: true }) => {
      const config = readConfig(process.env)
      if (check) {
        const archive = await checkArchive(file)
        const missing = await missingSecret(config, archive)
        if (json) return printJson({ file, ...archive })
        printLine(`${file} is whole: ${contentOf(archive)}.`)
        if (missing) printNotice(missing)
        return
      }
      const bar = progress()
      try {
        const {
          archive,
          outboxMessages: emails,
          keyFile
        } = await restoreInstallation(config, commandLog(config), file, {
          tell: bar.show,
          adoptFiles
        })
        bar.clear()
        printLine(`Restored ${contentOf(archive)} to ${databaseName(config).replace(/^The/, 'the')}.`)
        if (keyFile) printLine(`The key file of the backup is at ${keyFile}.`)
        if (emails > 0) printLine(`Queued, to be sent when the service starts: ${counted(emails, 'e-mail')}.`)
        for (const line of missingFiles(archive.digests.files)) printNotice(line)
      } finally {
        bar.clear()
      }
    })
}

/** What a restore here would lack, one sentence. Throws `ArchiveFault` if APP_SECRET is given and is not that of the backup. */
async function missingSecret(config: Config, { manifest, key }: CheckedArchive): Promise<string | undefined> {
  const { APP_SECRET: settings } = config
  if (settings) fittingSecrets(manifest.secrets, { settings, archived: key, present: undefined })
  if (settings || key) return undefined
  const present = await readKeyFile(keyFilePath(config))
  if (present && areFor([present], manifest.secrets)) return undefined
  return 'To restore it you need the APP_SECRET or app.key of the installation that was backed up: neither is in it, nor here.'
}

function contentOf({ manifest, digests }: CheckedArchive): string {
  const rows = Object.values(digests.tables).reduce((sum, tally) => sum + tally.rows, 0)
  const files = `${counted(rows, 'row')} and ${counted(digests.files.count, 'file')}`
  return `${files} of ${manifest.createdAt} (Deskline ${manifest.version}, PostgreSQL ${manifest.postgres})`
}
