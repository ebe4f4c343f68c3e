import { execFile } from 'node:child_process'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { promisify } from 'node:util'
import type { Machine } from './results.ts'
import { root } from './servers.ts'

export function describeMachine(database: string): Machine {
  return {
    cpu: cpus()[0]?.model.trim() || 'unknown',
    cores: availableParallelism(),
    memoryGB: Math.round(totalmem() / 1024 ** 3),
    system: `${type()} ${release()}`,
    node: process.versions.node,
    database: `PostgreSQL ${database}`
  }
}

/** The commit that is checked out, followed by a + if tracked files have changed. */
export async function revisionOf(): Promise<string> {
  const git = async (...words: string[]) => (await promisify(execFile)('git', words, { cwd: root })).stdout.trim()
  try {
    const changed = await git('status', '--porcelain', '--untracked-files=no')
    return `${await git('rev-parse', '--short', 'HEAD')}${changed ? '+' : ''}`
  } catch {
    return 'unknown'
  }
}

/** Waits until the system has written all dirty pages, which would otherwise happen during a measurement. */
export async function flushDisks(): Promise<void> {
  await promisify(execFile)('sync')
}
