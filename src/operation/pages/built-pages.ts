import { readdir, readFile, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { type Asset, asset, digestOf, typeOf } from './assets.ts'

/** The files that Vite has built from `web/`, by path without the leading slash: `portal.html`, `assets/portal-BGgele8_.js`. */
type BuiltPages = ReadonlyMap<string, Asset>

/** The extensions of files compressed at build time. */
const packedEndings = { br: '.br', gzip: '.gz' } as const

/**
 * The files built into this folder, by path; each undefined if there is none. Only these are served: no URL leads to anything else on the disk.
 * `isFixed`: they are read once, now. Otherwise a new build is noticed at the next page, and by whoever asks for a file that is not known: to look
 * at a thousand files for each script of a page would take most of the time of the page.
 */
export function builtPages(folder: string, { isFixed }: { isFixed: boolean }) {
  let known: { pages: BuiltPages | undefined; state: string } | undefined
  async function latest(): Promise<BuiltPages | undefined> {
    const files = await filesIn(folder)
    const state = digestOf(Buffer.from(JSON.stringify(files)))
    if (known?.state === state) return known.pages
    const pages = await readPages(folder, new Set(files.map(([path]) => path)))
    // While a build is being replaced, the former one is served.
    if (pages || !known) known = { pages, state }
    return known.pages
  }
  const once = isFixed ? latest() : undefined
  const pages = () => once ?? latest()
  return {
    page: async (name: string) => (await pages())?.get(name),
    file: async (path: string) => known?.pages?.get(path) ?? (await pages())?.get(path)
  }
}

async function readPages(folder: string, paths: ReadonlySet<string>): Promise<BuiltPages | undefined> {
  if (!paths.has('portal.html') || !paths.has('desk.html')) return undefined
  const pages = new Map<string, Asset>()
  for (const path of paths) {
    if (path.startsWith('.') || Object.values(packedEndings).some(ending => paths.has(without(path, ending)))) continue
    const made = asset(typeOf(path), await readFile(join(folder, path)))
    for (const [packing, ending] of Object.entries(packedEndings)) {
      if (!paths.has(path + ending)) continue
      const content = await readFile(join(folder, path + ending))
      made.packed.set(packing as keyof typeof packedEndings, Promise.resolve(content))
    }
    pages.set(path, made)
  }
  return pages
}

/** Every file with its modification time and size. */
async function filesIn(folder: string): Promise<[path: string, modified: number, bytes: number][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const found = await Promise.all(
    files.sort().map(async file => {
      const { mtimeMs, size } = await stat(file)
      return [file.slice(join(folder, '.').length + 1).replaceAll(sep, '/'), mtimeMs, size] as [string, number, number]
    })
  ).catch(() => [])
  return found
}

function without(path: string, ending: string): string {
  return path.endsWith(ending) ? path.slice(0, -ending.length) : ''
}
