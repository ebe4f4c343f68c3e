import { join } from 'node:path'
import type { Plugin } from 'vite'

const folder = join(import.meta.dirname, 'src/stand-ins')

/** Parts of packages of which the pages need so little that it is written here: who asks for them is given that. */
const parts = [
  { source: /^openapi-fetch$/, importer: /\/client\/src\//, file: join(folder, 'openapi-fetch.ts') },
  { source: /^\.\.\/createLucideIcon\.mjs$/, importer: /\/lucide-react\//, file: join(folder, 'lucide-icon.ts') },
  // Every React since 18 has it by itself.
  { source: /^use-sync-external-store\//, importer: /\/wouter\//, file: 'react' }
]

export function standIns(): Plugin {
  return {
    name: 'deskline:stand-ins',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!importer) return
      const part = parts.find(part => part.source.test(source) && part.importer.test(importer))
      if (!part) return
      return part.file === 'react' ? await this.resolve('react', importer) : part.file
    },
    // Each line of an icon has a key at random, which packs badly: a drawing that never changes needs none.
    transform: {
      filter: { id: /\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/ },
      handler: code => ({ code: code.replace(/, key: "\w+"/g, ''), map: null })
    }
  }
}
