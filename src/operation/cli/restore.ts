import type { Command } from 'commander'
import { readConfig } from '../../core/config.ts'
import { checkArchive } from '../backup/check-archive.ts'
import { restoreInstallation } from '../backup/restore-installation.ts'
import { databaseName } from '../installation.ts'
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
      if (check && json) return printJson({ file, ...(await checkArchive(file)) })
      if (check) return printLine(`${file} is whole: ${contentOf(await checkArchive(file))}.`)
      const config = readConfig(process.env)
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

function contentOf({ manifest, digests }: Awaited<ReturnType<typeof checkArchive>>): string {
  const rows = Object.values(digests.tables).reduce((sum, tally) => sum + tally.rows, 0)
  const files = `${counted(rows, 'row')} and ${counted(digests.files.count, 'file')}`
  return `${files} of ${manifest.createdAt} (Deskline ${manifest.version}, PostgreSQL ${manifest.postgres})`
}
