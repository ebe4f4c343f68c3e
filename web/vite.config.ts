import { basename } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compressedFiles } from './compress-files.ts'
import { packageShims } from './package-shims.ts'

/** Two pages: the portal of customers at `/`, the console of staff at `/desk`. What the server sends of them is in `src/operation/pages`. */
export default defineConfig({
  plugins: [compiledStrings(), packageShims(), react(), preloadedFont(), compressedFiles()],
  build: {
    rolldownOptions: {
      input: ['portal.html', 'desk.html'],
      // What all pages of an application need before they show anything comes in one piece: many small ones pack worse.
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', test: id => base.test(id), priority: 1 },
            { name: 'parts', test: id => parts.test(id), includeDependenciesRecursively: false },
            // Without what they rest on: much of that is in the other application as well.
            { name: 'portal-base', test: id => portalBase.test(id), includeDependenciesRecursively: false },
            // Who is not signed in yet sees nothing of it.
            {
              name: 'shell',
              test: id => shell.test(id) || inboxParts.test(id),
              priority: 1,
              includeDependenciesRecursively: false
            },
            { name: 'console', test: id => consoleBase.test(id), includeDependenciesRecursively: false }
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

const base =
  /\/use-sync-external-store\/|\/web\/src\/(app\/(render-app|session|connection-bar|api-queries|language-options|lazy-expired-session|appearance)|ui\/(query-state|banner|badge|page|skip-link|toast|logo))\.tsx?$/
const portalBase =
  /\/web\/src\/portal\/(shell\/(portal-shell|require-sign-in|portal-header|portal-footer)|portal-page|link-button)|\/node_modules\/(wouter|regexparam)\//
const parts = /\/web\/src\/ui\/(menu|popover|avatar|kbd)\.tsx?$/

const shell =
  /\/node_modules\/tinykeys\/|\/web\/src\/(console\/(shell\/(shell|signed-in-shell|nav|nav-link|account-menu|tab-bar|nav-items|overlay-events|use-held-counts)|inbox\/(nav-views|use-inbox|use-live-counts|use-list-keys|new-view-button|views)|palette\/overlays|preferences)|ui\/shortcuts)\.tsx?$/
/** What else the inbox shows at once, and the portal never: one by one they weigh twice as much. */
const inboxParts =
  /\/lucide-react\/.*\/icons\/(building-complex|star|user-round-minus|pause|circle-check|message-square-text|key-round|users|pencil|user|list-filter|arrow-down-up|bell|chevron-up|mail-question-mark)\.mjs$|\/web\/src\/(ui\/(status-icon|chip)|console\/(inbox\/(adjacent-tickets|use-colleagues|use-layout|use-live-list|ticket-list-query|ticket-list)|clients\/new-ticket))\.tsx?$/
const consoleBase =
  /\/web\/src\/console\/(shell\/(console-frame|public-pages|not-found)|main|root-route|router|inbox\/queue-search|admin\/(page-access|protected-pages|audit\/audit-search|onboarding\/(should-show-onboarding|onboarding-steps))|[\w-]+\/routes)/

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
