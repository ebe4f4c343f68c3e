import type { Command } from 'commander'
import { openapiText } from './generated.ts'
import { say } from './world.ts'

export function printOpenapiCommand(command: Command): void {
  command.action(() => say(openapiText().trimEnd()))
}
