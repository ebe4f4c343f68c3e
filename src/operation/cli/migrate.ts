import type { Command } from 'commander'
import { databaseName } from '../installation.ts'
import { printLine, withServices } from './with-services.ts'

export function migrateCommand(command: Command): void {
  command.action(() =>
    withServices(async ({ config }) => printLine(`${databaseName(config)} has the newest schema.`), process.env, {
      schema: 'migrate'
    })
  )
}
