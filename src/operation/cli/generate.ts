import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { migrationsIndex } from './migrations-index.ts'

const root = join(import.meta.dirname, '../../..')

export function generateCommand(command: Command): void {
  command
    .option('--check', 'write nothing; list stale files, and exit with 1 if there are any')
    .action(async ({ check }: { check?: true }) => {
      // Before anything that imports it is loaded: it may name a migration that has another name now.
      if (!check) await write('migrations/index.ts', migrationsIndex())
      const { generatedFiles } = await import('./generated.ts')
      for (const { path, text } of generatedFiles()) {
        if (!check) await write(path, text)
        else if (await isStale(path, text)) {
          process.stdout.write(`${path} is stale: run "deskline generate".\n`)
          process.exitCode = 1
        }
      }
    })
}

async function write(path: string, text: string): Promise<void> {
  if (!(await isStale(path, text))) return
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  // Whole or not at all, wherever it is interrupted.
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
  process.stdout.write(`Wrote ${path}.\n`)
}

async function isStale(path: string, text: string): Promise<boolean> {
  return (await readFile(join(root, path), 'utf8').catch(() => undefined)) !== text
}
