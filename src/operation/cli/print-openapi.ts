import type { Command } from 'commander'
import { openapiText } from './generated.ts'
import { printLine } from './with-services.ts'

export function printOpenapiCommand(command: Command): void {
  command.action(() => printLine(openapiText().trimEnd()))
}
