// Writes what the client takes from the description of the API, `docs/openapi.json`: installing does, and `npm run generate`.
import { readFileSync, writeFileSync } from 'node:fs'
import openapiTypescript, { astToString } from 'openapi-typescript'

const text = readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8')
const description = JSON.parse(text)
const head = '// Generated from `docs/openapi.json`.\n'
const reasonType = "/** Why a call was refused. */\nexport type Reason = components['schemas']['Reason']\n"

write('openapi.d.ts', `${head}${astToString(await openapiTypescript(text))}\n${reasonType}`)
write('idempotent-paths.js', `${head}${pathList(description)}`)

/** The addresses that take an `Idempotency-Key`: the client sends one to these alone. */
function pathList({ paths, components }) {
  const takesKey = ({ post }) =>
    post?.parameters?.some(parameter => {
      const { name } = parameter.$ref ? components.parameters[parameter.$ref.split('/').at(-1)] : parameter
      return name === 'Idempotency-Key'
    })
  const taking = Object.keys(paths).filter(path => takesKey(paths[path]))
  return `/** @type {string[]} */\nexport const idempotentPaths = [\n${taking.map(path => `  '${path}'`).join(',\n')}\n]\n`
}

function write(name, content) {
  writeFileSync(new URL(`src/${name}`, import.meta.url), content)
}
