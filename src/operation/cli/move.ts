import type { Command } from 'commander'
import { readConfig, settings } from '../../core/config.ts'
import { displayUrl } from '../../platform/db/wait-for-database.ts'
import { moveInstallation } from '../backup/move-installation.ts'
import { keyFilePath } from '../installation.ts'
import { missingFiles } from './backup.ts'
import { optionParser } from './option-parser.ts'
import { counted, progress } from './progress.ts'
import { commandLog, printLine, printNotice } from './with-services.ts'

export function moveCommand(command: Command): void {
  command
    .requiredOption(
      '--to <url>',
      'an empty database: postgres://user:password@host:5432/database',
      optionParser(settings.DATABASE_URL.read)
    )
    .option('--files-to-s3', 'copy the files to the store of the S3_ settings as well')
    .action(async ({ to, filesToS3 = false }: { to: string; filesToS3?: boolean }) => {
      const config = readConfig(process.env)
      const bar = progress()
      try {
        const { rows, files, wereThere } = await moveInstallation(
          config,
          commandLog(config),
          { to, filesToS3 },
          bar.show
        )
        bar.clear()
        printLine(
          wereThere ? `${counted(rows, 'row')} had been moved before.` : `Moved and verified ${counted(rows, 'row')}.`
        )
        if (files)
          printLine(`Copied ${counted(files.count, 'file')}; there already: ${counted(files.thereAlready, 'file')}.`)
        if (files) for (const line of missingFiles(files)) printNotice(line)
        printLine(
          `From now on set DATABASE_URL to ${displayUrl(to)} (with its password)${filesToS3 ? ' and keep the S3_ settings' : ''}.`
        )
        if (!config.APP_SECRET) {
          printLine(
            `In production, and on other machines, set APP_SECRET to what is in ${keyFilePath(config)} (APP_SECRET_FILE names it).`
          )
        }
        printLine(`The embedded database is as it was: remove ${config.DATA_DIR}/postgres when you no longer need it.`)
      } finally {
        bar.clear()
      }
    })
}
