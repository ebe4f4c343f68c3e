import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** What is packed already gains nothing, nor does what fits into one packet anyway. */
const packable = /\.(js|css|html|svg|json|txt|webmanifest)$/
const minBytes = 1024

/** Writes each file of the build beside itself once more, as brotli and gzip pack it best: the server need not pack anything. */
export function packedFiles(): Plugin {
  let folder = ''
  return {
    name: 'deskline:packed-files',
    apply: 'build',
    configResolved(config) {
      folder = config.build.outDir
    },
    async closeBundle() {
      // Who watches wants to see the page soon: the server packs it then.
      if (this.meta.watchMode) return
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      const files = entries.filter(entry => entry.isFile() && packable.test(entry.name))
      await Promise.all(files.map(file => pack(join(file.parentPath, file.name))))
    }
  }
}

async function pack(path: string): Promise<void> {
  const content = await readFile(path)
  if (content.length < minBytes) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  await Promise.all([
    promisify(brotliCompress)(content, { params }).then(packed => writeFile(`${path}.br`, packed)),
    promisify(gzip)(content, { level: 9 }).then(packed => writeFile(`${path}.gz`, packed))
  ])
}
