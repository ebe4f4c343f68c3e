import type { Command } from 'commander'
import { databaseName } from '../installation.ts'
import { say, withServices } from './world.ts'

export function migrateCommand(command: Command): void {
  command.action(() =>
    withServices(async ({ config }) => say(`${databaseName(config)} has the newest schema.`), process.env, {
      schema: 'migrate'
    })
  )
}
