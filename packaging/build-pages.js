// Builds the pages, and before them the client's types, when npm installs (`prepare`). It never breaks an installation: the API works without
// pages, and who opens them is told.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const at = (...path) => join(root, ...path)
const vite = at('node_modules/vite/bin/vite.js')

if (existsSync(at('client/node_modules/openapi-typescript'))) {
  spawnSync(process.execPath, [at('client/generate.js')], { stdio: 'inherit' })
}
if (existsSync(vite) && existsSync(at('web/package.json'))) {
  const build = mode => {
    const { status } = spawnSync(process.execPath, [vite, 'build', '--mode', mode, '--logLevel', 'warn'], { cwd: at('web'), stdio: 'inherit' })
    return status === 0
  }
  if (!build('portal') || !build('desk')) tell('The pages could not be built: the reason is above. "npm run build" tries again.')
} else if (!existsSync(at('web/dist/portal.html'))) {
  tell(
    'There are no pages: what builds them is a development dependency. Run "npm ci && npm prune --omit=dev", or bring web/dist along.'
  )
}

function tell(sentence) {
  process.stderr.write(`deskline: ${sentence} The API works without.\n`)
}
