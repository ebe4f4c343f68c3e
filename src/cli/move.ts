import type { Command } from 'commander'
import { moveInstallation } from '../backup/move-installation.ts'
import { readConfig, settings } from '../config.ts'
import { keyFilePath } from '../installation.ts'
import { shownUrl } from '../platform/db/reach.ts'
import { holes } from './backup.ts'
import { fit } from './fit.ts'
import { counted, progress } from './progress.ts'
import { commandLog, say, warn } from './world.ts'

export function moveCommand(command: Command): void {
  command
    .requiredOption(
      '--to <url>',
      'an empty database: postgres://user:password@host:5432/database',
      fit(settings.DATABASE_URL.read)
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
        say(
          wereThere ? `${counted(rows, 'row')} had been moved before.` : `Moved and verified ${counted(rows, 'row')}.`
        )
        if (files) say(`Copied ${counted(files.count, 'file')}; there already: ${counted(files.thereAlready, 'file')}.`)
        if (files) for (const line of holes(files)) warn(line)
        say(
          `From now on set DATABASE_URL to ${shownUrl(to)} (with its password)${filesToS3 ? ' and keep the S3_ settings' : ''}.`
        )
        if (!config.APP_SECRET) {
          say(
            `In production, and on other machines, set APP_SECRET to what is in ${keyFilePath(config)} (APP_SECRET_FILE names it).`
          )
        }
        say(`The embedded database is as it was: remove ${config.DATA_DIR}/postgres when you no longer need it.`)
      } finally {
        bar.clear()
      }
    })
}
