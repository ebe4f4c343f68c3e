import type { Command } from 'commander'
import { verifyAudit } from '../../core/audit/verify-audit.ts'
import { printJson, printLine, withServices } from './with-services.ts'

export function auditCommand(command: Command): void {
  command
    .command('verify')
    .description('verify that no row of the audit log was altered, removed or truncated; exits with 1 if one was')
    .option('--expect <head>', 'the last entry that an earlier run printed: it must still be in the log')
    .option('--json', 'as JSON')
    .action(({ expect, json: isJson }: { expect?: string; json?: true }) =>
      withServices(async services => {
        const verdict = await verifyAudit(services, { expect })
        if (isJson) {
          printJson(verdict)
          if (!verdict.isIntact) process.exitCode = 1
          return
        }
        if (!verdict.isIntact) throw new Error(`The audit log is broken at row ${verdict.rowId}: ${verdict.reason}.`)
        printLine(
          `The audit log is intact: ${verdict.rows} ${verdict.rows === 1 ? 'row' : 'rows'}, ending in ${verdict.head}.`
        )
      })
    )
}
