import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { generatedFiles } from './generated.ts'
import { printLine } from './with-services.ts'

const root = join(import.meta.dirname, '../../..')

export function generateCommand(command: Command): void {
  command
    .option('--check', 'write nothing; list stale files, and exit with 1 if there are any')
    .action(async ({ check }: { check?: true }) => {
      for (const { path, text } of generatedFiles()) {
        const file = join(root, path)
        if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue
        if (check) {
          printLine(`${path} is stale: run "deskline generate".`)
          process.exitCode = 1
        } else {
          await mkdir(dirname(file), { recursive: true })
          // Whole or not at all, wherever it is interrupted.
          await writeFile(`${file}.new`, text)
          await rename(`${file}.new`, file)
          printLine(`Wrote ${path}.`)
        }
      }
    })
}
