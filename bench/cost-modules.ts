import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Results } from './results.ts'
import { root } from './servers.ts'
import { summary } from './statistics.ts'

/** Measures the size of the dependencies of a production installation. */
export async function costOfModules(results: Results): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'deskline-bench-'))
  try {
    for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
      await cp(join(root, name), join(folder, name)).catch(error => {
        if (name !== '.npmrc') throw error
      })
    }
    // Without the scripts: ours builds the pages, whose sources are not here.
    const words = ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
    await promisify(execFile)('npm', words, { cwd: folder })
    const { stdout } = await promisify(execFile)('du', ['-sk', join(folder, 'node_modules')])
    results.costs.push({
      name: 'node_modules in production',
      unit: 'MB',
      value: summary([Number.parseInt(stdout, 10) / 1024])
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
