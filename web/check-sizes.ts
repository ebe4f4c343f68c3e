import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

// Measures the JavaScript of the first load of each application, gzipped: its entry with all imports, and the chunks of the first page.
// Fails if a page exceeds its budget.
interface Chunk {
  file: string
  src?: string
  imports?: string[]
}

const dist = join(import.meta.dirname, 'dist')
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>

/** Each arrival is a page where somebody may begin, with the strings that it needs besides those of all; the heaviest counts. */
const applications = {
  portal: {
    entry: 'portal.html',
    arrivals: {
      'src/portal/sign-in/sign-in-page.tsx': { areas: ['session', 'portal-sign-in'], budget: 115_000 },
      'src/portal/tickets/my-tickets-page.tsx': { areas: ['portal'], budget: 115_000 }
    },
    strings: ['shared', 'ui', 'portal-shell']
  },
  console: {
    entry: 'desk.html',
    arrivals: {
      'src/console/sign-in/sign-in-page.tsx': { areas: ['session'], budget: 120_000 },
      'src/console/inbox/inbox-page.tsx': { areas: ['inbox'], budget: 150_000 }
    },
    strings: ['shared', 'ui', 'console']
  }
}

let isTooMuch = false
for (const [name, { entry, arrivals, strings }] of Object.entries(applications)) {
  for (const [page, { areas, budget }] of Object.entries(arrivals)) {
    if (!manifest[page]) {
      process.stdout.write(`${name}, ${page}: not there\n`)
      isTooMuch = true
      continue
    }
    const weights = ['en', 'de'].map(language =>
      weight(entry, [page, ...[...strings, ...areas].map(area => `src/strings/${language}/${area}.json`)])
    )
    const bytes = Math.max(...weights)
    const verdict = bytes > budget ? 'TOO MUCH' : 'fits'
    process.stdout.write(
      `${name}, ${page}: ${(bytes / 1000).toFixed(1)} kB of ${budget / 1000} kB gzipped, ${verdict}\n`
    )
    isTooMuch ||= bytes > budget
  }
}
process.exitCode = isTooMuch ? 1 : 0

/** The bytes of the scripts that the page and these load at once, each counted once. */
function weight(page: string, sources: string[]): number {
  const files = new Set(scriptsOf(page))
  const add = (source: string) => {
    const chunk = manifest[source]
    // An area without strings of its own yet makes no file.
    if (!chunk || files.has(chunk.file)) return
    if (chunk.file.endsWith('.js')) files.add(chunk.file)
    for (const imported of chunk.imports ?? []) add(imported)
  }
  for (const source of sources) add(source)
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length, 0)
}

/** The scripts that the HTML itself loads. */
function scriptsOf(page: string): string[] {
  const html = readFileSync(join(dist, page), 'utf8')
  return [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, file]) => file!)
}
