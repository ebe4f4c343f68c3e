import type { Command } from 'commander'
import { recountTickets } from '../../tickets/queue/recount-tickets.ts'
import { printLine, withServices } from './with-services.ts'

export function recountCommand(command: Command): void {
  command.action(() =>
    withServices(async ({ db }) => {
      await recountTickets(db)
      printLine('The tickets were recounted.')
    })
  )
}
