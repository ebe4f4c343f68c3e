// Runs a command whose temporary files lie in a folder of their own, which is gone afterwards.
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { inRunFolder } from './run-folder.ts'

const [command, ...words] = process.argv.slice(2)
process.exitCode = await inRunFolder(tmpdir(), async ({ start }) => {
  const [code] = (await once(start(command!, words, { stdio: 'inherit' }), 'close')) as [number | null]
  return code ?? 1
})
