import type { Command } from 'commander'
import { recountTickets } from '../queue/recount-tickets.ts'
import { say, withServices } from './world.ts'

export function recountCommand(command: Command): void {
  command.action(() =>
    withServices(async ({ db }) => {
      await recountTickets(db)
      say('The tickets were recounted.')
    })
  )
}
