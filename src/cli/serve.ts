import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { serve } from '../main.ts'

export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('serve until told to stop (SIGTERM, Ctrl-C)')
    .action(async () => {
      process.exitCode = await serve(readConfig(process.env))
    })
}
