import { join } from 'node:path'
import type { Plugin } from 'vite'

const folder = join(import.meta.dirname, 'src/package-shims')

/** Modules of packages of which the pages use so little that a small replacement is here. */
const parts = [
  { source: /^openapi-fetch$/, importer: /\/client\/src\//, file: join(folder, 'openapi-fetch.ts') },
  { source: /^\.\.\/createLucideIcon\.mjs$/, importer: /\/lucide-react\//, file: join(folder, 'lucide-icon.ts') },
  // React has had this hook itself since version 18.
  { source: /^use-sync-external-store\//, importer: /\/wouter\//, file: 'react' }
]

export function packageShims(): Plugin {
  return {
    name: 'deskline:package-shims',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!importer) return
      const part = parts.find(part => part.source.test(source) && part.importer.test(importer))
      if (!part) return
      return part.file === 'react' ? await this.resolve('react', importer) : part.file
    },
    // Each line of an icon has a random key, which compresses badly; a drawing that never changes needs no keys.
    transform: {
      filter: { id: /\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/ },
      handler: code => ({ code: code.replace(/, key: "\w+"/g, ''), map: null })
    }
  }
}
