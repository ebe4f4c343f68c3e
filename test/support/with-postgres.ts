// Runs a command with DATABASE_URL set to one of Debian's PostgreSQL servers, which lives as long as the command.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fastFolder } from './fast-folder.ts'
import { startPostgres } from './postgres.ts'

const [command, ...words] = process.argv.slice(2)
const postgres = await startPostgres({ parent: fastFolder() })
if (postgres && command) {
  // The command gets the signal as well, and its end is ours.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  console.log(`== ${command} ${words.join(' ')} on ${postgres.version}`)
  const child = spawn(command, words, { stdio: 'inherit', env: { ...process.env, DATABASE_URL: postgres.url } })
  const [code] = (await once(child, 'exit')) as [number | null]
  await postgres.remove()
  process.exitCode = code ?? 1
} else {
  console.log('No PostgreSQL is installed here and DATABASE_URL is not set: nothing was run on a served one.')
}
