// Writes what the client takes from the description of the API, `docs/openapi.json`: installing does, and `npm run generate`.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import openapiTypescript, { astToString } from 'openapi-typescript'

const text = readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8')
const description = JSON.parse(text)
const head = '// Generated from `docs/openapi.json`.\n'
const reasonType = "/** Why a call was refused. */\nexport type Reason = components['schemas']['Reason']\n"

const types = astToString(await openapiTypescript(text))

write('openapi.d.ts', `${head}${types}\n${reasonType}`)
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

/** Whole or not at all, wherever it is interrupted. */
function write(name, content) {
  const file = new URL(`src/${name}`, import.meta.url)
  const written = new URL(`${file}.new`)
  writeFileSync(written, content)
  renameSync(written, file)
}
