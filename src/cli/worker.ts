import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { workOnJobs } from '../main.ts'

export function workerCommand(program: Command): void {
  program
    .command('worker')
    .description('deliver e-mails and run other jobs, without answering requests, until told to stop')
    .action(async () => {
      process.exitCode = await workOnJobs(readConfig(process.env))
    })
}
