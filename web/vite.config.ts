import { basename } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compressedFiles } from './compress-files.ts'

/** Two pages: the portal of customers at `/`, the console of staff at `/desk`. What the server sends of them is in `src/operation/pages`. */
export default defineConfig({
  plugins: [compiledStrings(), react(), preloadedFont(), compressedFiles()],
  build: {
    rolldownOptions: {
      input: ['portal.html', 'desk.html'],
      // What an application needs before its first page comes in two files: one that both share, and its own. Many small ones compress worse.
      output: {
        codeSplitting: {
          groups: [
            { name: 'portal-start', test: /\/web\/src\/portal\//, tags: ['$initial'] },
            { name: 'console-start', test: /\/web\/src\/console\//, tags: ['$initial'] },
            {
              name: 'start',
              test: /\/(node_modules|client|web\/src\/(app|router|ui|lib))\//,
              tags: ['$initial'],
              priority: 1
            }
          ]
        }
      }
    },
    target: 'es2023',
    manifest: true,
    modulePreload: { polyfill: false },
    // The policy of the pages loads nothing from data: addresses but pictures.
    assetsInlineLimit: 0,
    reportCompressedSize: false
  }
})

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
        return [{ tag: 'link', attrs, injectTo: 'head-prepend' as const }]
      }
    }
  }
}
