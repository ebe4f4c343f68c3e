import { join } from 'node:path'
import type { Log } from '../log.ts'
import { outboxFileName, replaceFile } from '../outbox-file.ts'
import { composed } from './compose.ts'
import type { Mail } from './mail.ts'

/** Writes e-mails into a folder as *.eml files, which mail programs open. Sending again replaces the file. */
export function mailFolder(folder: string, log: Log): Mail {
  return {
    async send(message) {
      const path = join(folder, outboxFileName(message.date, message.messageId, 'eml'))
      await replaceFile(path, await composed(message))
      log.info({ path }, 'An e-mail was written to the outbox folder')
      return `Written to ${path}`
    }
  }
}
