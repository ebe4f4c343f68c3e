import type { Command } from 'commander'
import { verifyAudit } from '../audit/verify-audit.ts'
import { say, sayJson, withServices } from './world.ts'

export function auditCommand(command: Command): void {
  command
    .command('verify')
    .description('see that no row of the audit log was altered, taken out or cut off; exits with 1 when one was')
    .option('--expect <head>', 'the end of the log as an earlier run printed it: it must still be there')
    .option('--json', 'as JSON')
    .action(({ expect, json: isJson }: { expect?: string; json?: true }) =>
      withServices(async services => {
        const verdict = await verifyAudit(services, { expect })
        if (isJson) {
          sayJson(verdict)
          if (!verdict.isIntact) process.exitCode = 1
          return
        }
        if (!verdict.isIntact) throw new Error(`The audit log is broken at row ${verdict.rowId}: ${verdict.reason}.`)
        say(
          `The audit log is intact: ${verdict.rows} ${verdict.rows === 1 ? 'row' : 'rows'}, ending in ${verdict.head}.`
        )
      })
    )
}
