import type { Command } from 'commander'
import { adoptFiles } from '../../tickets/attachments/adopt-files.ts'
import { maxRequestMilliseconds, sweepUploads } from '../../tickets/attachments/sweep-uploads.ts'
import { fileStoreFor } from '../installation.ts'
import { counted } from './progress.ts'
import { printLine, withServices } from './with-services.ts'

export function adoptFilesCommand(command: Command): void {
  command
    .option('--force', 'also if the database references fewer than half of them: the others go into quarantine')
    .action(({ force = false }: { force?: boolean }) =>
      withServices(async services => {
        const { config, db } = services
        const files = await adoptFiles(db, owner => fileStoreFor(config, owner), { force })
        const olderThanMilliseconds = maxRequestMilliseconds(services)
        const sweep = await sweepUploads({ ...services, files }, { olderThanMilliseconds, evenMostlyUnknown: force })
        printLine(
          `The files belong to this database: ${counted(sweep.files, 'file')}, of which ${counted(sweep.quarantined, 'file')} ` +
            `that no ticket names were set aside for ${counted(config.FILE_QUARANTINE_DAYS, 'day')}.`
        )
        printLine('Restart every process of this installation.')
      })
    )
}
