import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../../package.json' with { type: 'json' }

const { CHROMIUM_PATH } = process.env
const installed = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].map(
  name => `/usr/bin/${name}`
)

/**
 * The browser that npm installed: the same everywhere, headless and without extensions, in half the time of a full one. If it does not run, an
 * installed one.
 */
export const executablePath = CHROMIUM_PATH ?? (await unpackedChromium()) ?? installed.find(path => existsSync(path))

export const noChromium = executablePath ? false : 'no Chromium here: install one, or name it in CHROMIUM_PATH'
export const chromiumArguments = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']

/**
 * Unpacks npm's browser, with its libraries, once per copy of the code. Concurrent runs each unpack into a folder of their own, and the first
 * one is kept.
 */
async function unpackedChromium(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const cache = join(import.meta.dirname, '../../node_modules/.cache')
  const folder = join(cache, `chromium-${manifest.devDependencies['@sparticuz/chromium']}`)
  const start = join(folder, 'start')
  if (existsSync(start)) return start

  await mkdir(cache, { recursive: true })
  const making = await mkdtemp(join(cache, 'chromium-'))
  await unpackInto(making)
  // Where a machine has fonts of its own they are shown, as in the browsers that are installed.
  await writeFile(
    join(making, 'start'),
    `#!/bin/sh
here=$(dirname "$0")
[ -d /etc/fonts ] || export FONTCONFIG_PATH="$here/fonts"
export LD_LIBRARY_PATH="$here/al2023/lib"
exec "$here/chromium" "$@"
`
  )
  await chmod(join(making, 'start'), 0o755)
  await rename(making, folder).catch(() => rm(making, { recursive: true }))
  return start
}

/** The package unpacks into the temporary folder. */
async function unpackInto(folder: string): Promise<void> {
  const { TMPDIR } = process.env
  process.env.TMPDIR = folder
  try {
    const { inflate } = await import('@sparticuz/chromium')
    const packed = fileURLToPath(new URL('../bin', import.meta.resolve('@sparticuz/chromium')))
    await Promise.all(['chromium.br', 'fonts.tar.br', 'al2023.tar.br'].map(name => inflate(join(packed, name))))
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
}
