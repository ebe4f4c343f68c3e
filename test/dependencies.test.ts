import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules, createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import manifest from '../package.json' with { type: 'json' }
import { bundled, productionDependencies } from '../src/operation/cli/licences.ts'
import { packageFor } from '../src/platform/postgres/binaries.ts'
import { root } from './support/program.ts'

// Those that ask for no more than their text to be passed on. A new one is added by a person who has read it.
const accepted = [
  ...[
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'CC-BY-3.0',
    'CC0-1.0',
    'ISC',
    'MIT',
    'MIT-0'
  ],
  ...['OpenSSL', 'PostgreSQL', 'PSF-2.0', 'Unicode-3.0', 'Unicode-DFS-2016', 'Unlicense', 'Zlib']
]

test('every licence of what a production installation brings along is one that is accepted', () => {
  const dependencies = productionDependencies()

  assert.ok(dependencies.length > 100)
  assert.deepEqual(
    dependencies.filter(({ licence }) => !isAccepted(licence)),
    []
  )
  assert.deepEqual(
    Object.values(bundled).filter(({ licence }) => !isAccepted(licence)),
    []
  )
  for (const strange of ['GPL-3.0', 'unknown', 'SEE LICENSE IN x', '(MIT AND GPL-2.0)']) {
    assert.equal(isAccepted(strange), false, strange)
  }
})

test('the list of licences names every library in the embedded PostgreSQL', {
  skip: process.platform !== 'linux' && 'it is the package for Linux that it speaks of'
}, () => {
  const entry = createRequire(import.meta.url).resolve(packageFor(process.platform, process.arch))
  const libraries = readdirSync(join(dirname(entry), '../native/lib')).filter(name => name.includes('.so'))

  assert.ok(libraries.length > 5)
  assert.deepEqual(
    libraries.filter(name => !Object.keys(bundled).some(beginning => name.startsWith(beginning))),
    []
  )
})

test('nothing that runs in production imports a development dependency', () => {
  const shipped = globSync(['src/**/*.ts', 'migrations/*.ts', 'bin/*.js'], { cwd: root }).filter(
    path => !path.endsWith('.test.ts')
  )
  const allowed = new Set([...Object.keys(manifest.dependencies), ...builtinModules])

  const faults = shipped.flatMap(path =>
    [
      ...readFileSync(join(root, path), 'utf8').matchAll(
        /^(?:import|export|\}).*?\bfrom '([^'.][^']*)'|\bimport\('([^'.][^']*)'\)/gm
      )
    ]
      .map(match => (match[1] ?? match[2])!)
      .filter(name => !name.startsWith('node:') && !allowed.has(packageOf(name)))
      .map(name => `${path} imports ${name}`)
  )

  assert.ok(shipped.length > 200)
  assert.deepEqual(faults, [])
})

test('npm run sbom writes a bill of materials that names exactly what production brings along', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], { cwd: root, maxBuffer: 2 ** 26 })

  const { bomFormat, metadata, components } = JSON.parse(stdout) as {
    bomFormat: string
    metadata: { component: { name: string; purl: string } }
    components: { name: string; version: string }[]
  }
  const names = components.map(({ name, version }) => `${name} ${version}`)
  assert.equal(bomFormat, 'CycloneDX')
  assert.equal(metadata.component.name, 'deskline')
  assert.equal(metadata.component.purl, `pkg:npm/${manifest.name}@${manifest.version}`)
  assert.deepEqual(
    [...new Set(names)].sort(),
    productionDependencies()
      .map(({ name, version }) => `${name} ${version}`)
      .sort()
  )
})

/** Of an SPDX expression: one of several that may be chosen, all of several that hold together. */
function isAccepted(licence: string): boolean {
  const plain = licence.replace(/^\((.*)\)$/, '$1')
  if (plain.includes(' OR ')) return plain.split(' OR ').some(isAccepted)
  return plain.split(' AND ').every(one => accepted.includes(one))
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}
