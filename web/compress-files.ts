import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** Other files are compressed already. Files below `minBytes` fit into one packet anyway. */
const packable = /\.(js|css|html|svg|json|txt|webmanifest)$/
const minBytes = 1024

/** Writes a brotli and a gzip version beside each file of the build, with the best compression, so that the server need not compress anything. */
export function compressedFiles(): Plugin {
  let folder = ''
  return {
    name: 'deskline:compressed-files',
    apply: 'build',
    configResolved(config) {
      folder = config.build.outDir
    },
    async writeBundle() {
      // In watch mode the build should be fast, so the server compresses then.
      if (this.meta.watchMode) return
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      const files = entries.filter(entry => entry.isFile() && packable.test(entry.name))
      await Promise.all(files.map(file => compress(join(file.parentPath, file.name))))
    }
  }
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path)
  if (content.length < minBytes) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  await Promise.all([
    promisify(brotliCompress)(content, { params }).then(packed => writeFile(`${path}.br`, packed)),
    promisify(gzip)(content, { level: 9 }).then(packed => writeFile(`${path}.gz`, packed))
  ])
}
