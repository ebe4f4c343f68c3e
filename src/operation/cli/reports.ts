import type { Command } from 'commander'
import { addUpDays } from '../../insight/facts/add-up-days.ts'
import { rebuildReports } from '../../insight/facts/fill-facts.ts'
import { reconcileBacklog } from '../../insight/facts/reconcile-backlog.ts'
import { counted, progress } from './progress.ts'
import { letRequestsGoFirst, printLine, withServices } from './with-services.ts'

export function reportsCommand(command: Command): void {
  command
    .command('rebuild')
    .description('count all tickets anew for the reports, in batches while the server runs')
    .action(() => {
      letRequestsGoFirst()
      return withServices(async services => {
        const bar = progress()
        let tickets = 0
        const show = (done: number, all: number) => {
          tickets = done
          bar.show(`${done.toLocaleString('en')} of ${counted(all, 'ticket')}`)
        }
        await rebuildReports(services, () => addUpDays(services), show).finally(bar.clear)
        await reconcileBacklog(services)
        printLine(`The reports were rebuilt: ${counted(tickets, 'ticket')}.`)
      })
    })
}
