import type { Command } from 'commander'
import { readConfig } from '../../core/config.ts'
import { workOnJobs } from '../../main.ts'

export function workerCommand(command: Command): void {
  command.action(async () => {
    process.exitCode = await workOnJobs(readConfig(process.env))
  })
}
