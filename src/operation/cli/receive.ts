import type { Command } from 'commander'
import { receiveMail } from '../../intake/mailbox/receive-mail.ts'
import { NoMessage } from '../../intake/mailbox/store-mail.ts'
import { mailReader } from '../../platform/mail-reading/mail-reader.ts'
import { printLine, printNotice, withServices } from './with-services.ts'

// The exit codes that mail servers know (sysexits.h): the mail bounces, or is retried later.
const dataError = 65
const temporaryFailure = 75

export function receiveCommand(command: Command): void {
  command
    .option('--recipient <address>', 'the envelope recipient')
    .option('--sender <address>', 'the envelope sender; empty for the null sender')
    .action(async ({ recipient, sender }: { recipient?: string; sender?: string }) => {
      // On any error the mail server should retry rather than bounce the mail.
      process.on('uncaughtException', error => giveUp(error))
      process.on('unhandledRejection', error => giveUp(error as Error))
      const reader = mailReader()
      try {
        await withServices(async services => {
          const receipt = await receiveMail(
            { ...services, mailReader: reader },
            { raw: process.stdin, via: 'command', recipient, sender, cutsTooLarge: true }
          )
          printLine(JSON.stringify(receipt))
        })
      } catch (error) {
        if (error instanceof NoMessage) {
          printNotice(error.message)
          process.exitCode = dataError
        } else {
          printNotice((error as Error).message)
          process.exitCode = temporaryFailure
        }
      } finally {
        await reader.close()
      }
    })
}

function giveUp(error: Error): never {
  printNotice(error.message)
  process.exit(temporaryFailure)
}
