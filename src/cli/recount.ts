import type { Command } from 'commander'
import { recountTickets } from '../queue/recount-tickets.ts'
import { say, withServices } from './world.ts'

export function recountCommand(program: Command): void {
  program
    .command('recount')
    .description('count the tickets anew, where "deskline doctor" finds that their counts are wrong')
    .action(() =>
      withServices(async ({ db }) => {
        await recountTickets(db)
        say('The tickets are counted anew.')
      })
    )
}
