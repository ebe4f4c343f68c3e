import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { makeRowsDigest } from '../../platform/db/copy.ts'
import { ArchiveFault, type Digests, digestsName, keyName, type Manifest, pathOf, tableOf } from './archive.ts'
import { makeFilesDigest } from './files-digest.ts'
import { digestsIn, type Entry, entriesOf, manifestIn, textIn } from './read-archive.ts'
import { areFor } from './secrets.ts'

/** A complete archive and its contents. */
export interface CheckedArchive {
  path: string
  manifest: Manifest
  digests: Digests
  /** The content of the key file. */
  key: string | undefined
}

/** Reads an archive to its end and compares its content with its digests. Throws `ArchiveFault`. */
export async function checkArchive(path: string): Promise<CheckedArchive> {
  const tables = new Map<string, ReturnType<typeof makeRowsDigest>>()
  const files = makeFilesDigest()
  let manifest: Manifest | undefined
  let digests: Digests | undefined
  let key: string | undefined

  for await (const entry of entriesOf(path)) {
    if (digests) throw new ArchiveFault(`${path} is damaged: something follows its end.`)
    const table = tableOf(entry.name)
    const file = pathOf(entry.name)
    if (!manifest) manifest = await manifestIn(path, entry)
    else if (table && isIn(manifest, table)) await addAll(tally(table), entry)
    else if (file) files.add({ path: file, sizeBytes: entry.sizeBytes, sha256: await digestOf(entry) })
    else if (entry.name === keyName) key = (await textIn(entry)).trim()
    else if (entry.name === digestsName) digests = await digestsIn(path, entry)
    else throw new ArchiveFault(`${path} is damaged: it holds what no backup does (${JSON.stringify(entry.name)}).`)
  }
  manifest ??= await manifestIn(path, undefined)
  digests ??= await digestsIn(path, undefined)

  const found = Object.fromEntries(manifest.tables.map(({ name }) => [name, tally(name).tally()]))
  const { count, bytes, sha256 } = digests.files
  const foundFiles = files.tally()
  const isWhole =
    isDeepStrictEqual(found, digests.tables) &&
    isDeepStrictEqual([foundFiles.count, foundFiles.bytes, foundFiles.sha256], [count, bytes, sha256])
  if (!isWhole) throw new ArchiveFault(`${path} is damaged: its content is not what was written.`)
  if (key && !areFor([key], manifest.secrets)) {
    throw new ArchiveFault(
      `The ${keyName} in ${path} is not what the secrets in it were encrypted with: nobody could use what it restores.`
    )
  }
  return { path, manifest, digests, key }

  function tally(name: string) {
    const known = tables.get(name) ?? makeRowsDigest()
    tables.set(name, known)
    return known
  }
}

function isIn({ tables }: Manifest, table: string): boolean {
  return tables.some(({ name }) => name === table)
}

async function addAll(tally: ReturnType<typeof makeRowsDigest>, { content }: Entry): Promise<void> {
  for await (const chunk of content) tally.add(chunk)
}

async function digestOf({ content }: Entry): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of content) hash.update(chunk)
  return hash.digest('hex')
}
