// Runs a command with DATABASE_URL set to one of Debian's PostgreSQL servers, which lives as long as the command.
import { once } from 'node:events'
import { memoryFolder } from './memory-folder.ts'
import { startPostgres } from './postgres.ts'
import { inRunFolder } from './run-folder.ts'

const [command, ...words] = process.argv.slice(2)
process.exitCode = await inRunFolder(memoryFolder(), async ({ folder, start }) => {
  const postgres = await startPostgres({ parent: folder })
  if (!postgres) {
    console.log('No PostgreSQL is installed here and DATABASE_URL is not set: nothing was run on a served one.')
    return 0
  }
  console.log(`== ${command} ${words.join(' ')} on ${postgres.version}`)
  try {
    const env = { ...process.env, DATABASE_URL: postgres.url }
    const [code] = (await once(start(command!, words, { stdio: 'inherit', env }), 'close')) as [number | null]
    return code ?? 1
  } finally {
    await postgres.remove()
  }
})
