import type { Command } from 'commander'
import { databaseName } from '../installation.ts'
import { say, withServices } from './world.ts'

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database to the newest schema, making it where there is none')
    .action(() =>
      withServices(async ({ config }) => say(`${databaseName(config)} is at the newest schema.`), process.env, {
        schema: 'migrate'
      })
    )
}
