import { basename } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { compressedFiles } from './compress-files.ts'

/** The source of each page: the portal of customers at `/`, the console of staff at `/desk`. What the server sends is in `src/operation/pages`. */
const applications: Record<string, string> = { portal: 'src/portal', desk: 'src/console' }

/** Builds the page that `--mode` names. They have no file in common: what one begins with is not what the other one does. */
export default defineConfig(({ mode }) => ({
  plugins: [compiledStrings(), react(), earlyScript(), preloadedFont(), compressedFiles()],
  build: {
    // The portal is built first.
    emptyOutDir: mode === 'portal' && !process.argv.includes('--watch'),
    rolldownOptions: {
      input: { [mode]: `${mode}.html`, early: `${applications[mode]}/early.ts` },
      output: {
        codeSplitting: {
          // What a page begins with comes in two files, since many small ones compress worse: what runs early, and the rest.
          groups: [{ name: startOf, tags: ['$initial'], debugName: 'start' }],
          includeDependenciesRecursively: false
        }
      }
    },
    target: 'es2023',
    modulePreload: { polyfill: false },
    // The policy of the pages loads nothing from data: addresses but pictures.
    assetsInlineLimit: 0,
    reportCompressedSize: false
  }
}))

/** The chunk of a module that a page begins with: `early` if the early script needs it as well. */
function startOf(module: string, graph: Rolldown.ChunkingContext): string {
  const seen = new Set<string>()
  const isEarly = (id: string): boolean => {
    if (seen.has(id)) return false
    seen.add(id)
    const found = graph.getModuleInfo(id)
    return basename(id) === 'early.ts' || Boolean(found?.importers.some(isEarly))
  }
  return isEarly(module) ? 'early' : 'start'
}

/** The script that begins with the document comes before all others, and does not wait for them. */
function earlyScript(): Plugin {
  return {
    name: 'deskline:early-script',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter(file => file.type === 'chunk')
        const script = chunks.find(({ moduleIds }) => moduleIds.some(id => basename(id) === 'early.ts'))
        if (!script) return
        const tag = (tag: string, attrs: Record<string, string | boolean>) =>
          ({ tag, attrs: { ...attrs, crossorigin: '', fetchpriority: 'high' }, injectTo: 'head-prepend' }) as const
        return [
          tag('script', { type: 'module', async: true, src: `/${script.fileName}` }),
          ...script.imports.map(file => tag('link', { rel: 'modulepreload', href: `/${file}` }))
        ]
      }
    }
  }
}

/** The catalogues of strings (`src/strings/<language>/<area>.json`, ICU messages) are parsed here, so that the pages need no parser. */
function compiledStrings(): Plugin {
  return {
    name: 'deskline:compiled-strings',
    enforce: 'pre',
    transform: {
      filter: { id: /\/strings\/[\w-]+\/[\w-]+\.json$/ },
      handler(text, id) {
        const area = basename(id, '.json')
        const entries = Object.entries(JSON.parse(text) as Record<string, string>)
        const compiled = entries.map(([key, message]) => [`${area}.${key}`, compileMessage(message)])
        return { code: JSON.stringify(Object.fromEntries(compiled)), map: null }
      }
    }
  }
}

/** The letters that every page has come with its first lines, not after its styles. */
function preloadedFont(): Plugin {
  return {
    name: 'deskline:preloaded-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const font = Object.keys(bundle).find(name => /inter-latin-wght-normal.*\.woff2$/.test(name))
        if (!font) return
        const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: '' }
        return [{ tag: 'link', attrs, injectTo: 'head' as const }]
      }
    }
  }
}
