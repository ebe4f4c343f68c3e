import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { Command } from 'commander'
import { sealPurpose } from '../auth/second-factor.ts'
import { type ImportTally, importClients } from '../clients/import-clients.ts'
import { requiredColumns } from '../clients/import-fields.ts'
import { tableRows } from '../clients/import-rows.ts'
import { counted, progress } from './progress.ts'
import { say, warn, withServices } from './world.ts'

export function importClientsCommand(program: Command): void {
  program
    .command('import-clients')
    .description('take in a customer table; whoever is there already is left as they are, so it can be run again')
    .argument('<file>', '.csv with the names of the fields in its first line, or .jsonl with an object a line; UTF-8')
    .option('--report <file>', 'write the refused rows there rather than to standard error')
    .action((file: string, { report }: { report?: string }) =>
      withServices(async services => {
        const bar = progress()
        const refusals = report ? createWriteStream(report, { mode: 0o600 }) : undefined
        const tally = await importClients(services, tableRows(file, requiredColumns), {
          sealFactor: (id, secret) => services.keys.seal(sealPurpose({ population: 'client', id }), secret),
          refused(line, reason) {
            bar.clear()
            if (refusals) refusals.write(`line ${line}: ${reason}\n`)
            else warn(`line ${line}: ${reason}`)
          },
          progress: tally => bar.show(summary(tally))
        }).finally(bar.clear)
        if (refusals) await finished(refusals.end())
        if (tally.ignored.size > 0) warn(`Columns that mean nothing here: ${[...tally.ignored].join(', ')}`)
        say(`${summary(tally)}${report && tally.refused > 0 ? ` (see ${report})` : ''}.`)
        if (tally.refused > 0) process.exitCode = 1
      })
    )
}

function summary({ imported, thereAlready, refused }: ImportTally): string {
  return `${counted(imported, 'client')} imported, ${counted(thereAlready, 'client')} there already, ${counted(refused, 'row')} refused`
}
