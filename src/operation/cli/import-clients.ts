import { closeSync, openSync, writeSync } from 'node:fs'
import type { Command } from 'commander'
import { sealPurpose } from '../../people/auth/second-factor.ts'
import { type ImportCounts, importClients } from '../../people/clients/import-clients.ts'
import { requiredColumns } from '../../people/clients/import-fields.ts'
import { countRows, tableRows } from '../../people/clients/import-rows.ts'
import { interrupted } from './interrupted.ts'
import { counted, progress } from './progress.ts'
import { printLine, printNotice, withServices } from './with-services.ts'

export function importClientsCommand(command: Command): void {
  command
    .argument('<file>', '.csv with the names of the fields in its first line, or .jsonl with an object a line; UTF-8')
    .option('--report <file>', 'write the refused rows there rather than to standard error')
    .action((file: string, { report }: { report?: string }) =>
      withServices(async services => {
        const interruption = interrupted()
        const bar = progress()
        const total = counted(await countRows(file, requiredColumns), 'row')
        const refusals = report === undefined ? undefined : openSync(report, 'w', 0o600)
        const tally = await importClients(services, tableRows(file, requiredColumns), {
          sealFactor: (id, secret) => services.keys.seal(sealPurpose({ population: 'client', id }), secret),
          refused(line, reason) {
            bar.clear()
            if (refusals === undefined) printNotice(`line ${line}: ${reason}`)
            else writeSync(refusals, `line ${line}: ${reason}\n`)
          },
          progress: tally => bar.show(`${done(tally).toLocaleString('en')} of ${total}: ${summary(tally)}`),
          signal: interruption.signal
        }).finally(bar.clear)
        if (refusals !== undefined) closeSync(refusals)
        if (tally.ignored.size > 0) printNotice(`Columns that mean nothing here: ${[...tally.ignored].join(', ')}`)
        const where = report && tally.refused > 0 ? ` (see ${report})` : ''
        if (interruption.signal.aborted) {
          printLine(
            `Interrupted after ${done(tally).toLocaleString('en')} of ${total}: ${summary(tally)}${where}. Run it again to go on.`
          )
          process.exitCode = interruption.exitCode()
          return
        }
        printLine(`${summary(tally)}${where}.`)
        if (tally.refused > 0) process.exitCode = 1
      })
    )
}

function done({ imported, thereAlready, refused }: ImportCounts): number {
  return imported + thereAlready + refused
}

function summary({ imported, thereAlready, refused }: ImportCounts): string {
  return `${counted(imported, 'client')} imported, ${counted(thereAlready, 'client')} there already, ${counted(refused, 'row')} refused`
}
