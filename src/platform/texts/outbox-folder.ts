import { join } from 'node:path'
import type { Log } from '../log.ts'
import { outboxFileName, replaceFile } from '../outbox-file.ts'
import type { Texts } from './texts.ts'

/** Writes texts into a folder as *.txt files. Sending again replaces the file. */
export function textFolder(folder: string, log: Log): Texts {
  return {
    reaches: () => true,

    async send({ reference, to, text, date }) {
      const path = join(folder, outboxFileName(date, reference, 'txt'))
      // A number is a caller's input: it must not look like another line.
      const lines = [`To: ${to.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')}`, `Date: ${date.toISOString()}`, '', text, '']
      await replaceFile(path, lines.join('\n'))
      log.info({ path }, 'A text message was written to the outbox folder')
      return `Written to ${path}`
    }
  }
}
