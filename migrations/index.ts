import { readdir } from 'node:fs/promises'
import type { Migration } from './migration.ts'

const files = (await readdir(import.meta.dirname)).filter(name => /^\d{4}-.*\.ts$/.test(name))
const names = files.map(file => file.slice(0, -'.ts'.length)).sort()

/** Every migration by the name of its file, in the order in which it runs. They go forward only and are never edited once released. */
export const migrations: Readonly<Record<string, Migration>> = Object.fromEntries(
  await Promise.all(names.map(async name => [name, (await import(`./${name}.ts`)) as Migration]))
)
