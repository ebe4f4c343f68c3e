import type { Command } from 'commander'
import { openapiText } from './generated.ts'
import { say } from './world.ts'

export function printOpenapiCommand(program: Command): void {
  program
    .command('print-openapi')
    .description('print the OpenAPI 3.1 description of the service')
    .action(() => say(openapiText().trimEnd()))
}
