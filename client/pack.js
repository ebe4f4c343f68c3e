// The generated files lie in `docs/client` of the repository. A package cannot reach there: while it is packed it holds copies.
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'

const generated = new URL('../docs/client/', import.meta.url)

for (const name of readdirSync(generated)) {
  const place = new URL(`src/${name}`, import.meta.url)
  if (process.argv[2] === 'copy') copyFileSync(new URL(name, generated), place)
  else writeFileSync(place, `export * from '../../docs/client/${name.replace(/\.d\.ts$/, '.js')}'\n`)
}
