import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { attachmentDisposition } from '../../lib/content-disposition.ts'
import { type FileStore, FileTooLarge, filePathPattern, newFilePath, type StagedFile } from './file-store.ts'
import { acceptedKind, cleanFileName } from './kinds.ts'
import { isBehindEnd, isMissing, openBucket, type S3Bucket, type S3Place } from './s3-client.ts'

export interface S3Options extends S3Place {
  /** Before every key: empty, or ending in a slash. */
  prefix: string
  /** Whether callers are sent to the store for the content, rather than getting it through us. */
  presignedDownloads: boolean
  /**
   * Names this installation in every object, the first one, so that a sweep never takes what another one keeps in the same bucket.
   * Objects of all these names are ours.
   */
  owners: readonly [string, ...string[]]
}

const linkSeconds = 60
/** The least that a part may have. One is in memory for each upload under way, and once more while it is put together. */
const partBytes = 5 * 1024 * 1024
const ownerName = 'deskline-owner'

/**
 * Attachments as objects `<prefix>uploads/tickets/<2 hex>/<name>` of an S3-compatible store. An object comes into being whole, at
 * its final place, which nobody knows before the row that names it is committed: keeping costs no request. What is staged, this
 * process remembers; what it forgets by dying, `sweep` removes.
 */
export function s3FileStore(options: S3Options): FileStore {
  const bucket = openBucket(options)
  const staged = new Set<string>()

  const store: FileStore = {
    async stage(content, file, { maxBytes }) {
      // An iteration hears an error only while it runs: before and after, a sender breaking off would end the process.
      content.on('error', () => {})
      const fileName = cleanFileName(file.fileName)
      const path = newFilePath(acceptedKind(fileName, file.fileType)?.extension ?? 'bin')
      try {
        const written = await uploaded(path, content, maxBytes)
        staged.add(path)
        return { path, fileName, fileType: file.fileType, ...written }
      } catch (error) {
        content.resume()
        throw error
      }
    },

    async keep(files) {
      for (const { path } of files) {
        checkPath(path)
        if (!staged.delete(path) && !(await headOf(path))) throw new Error(`Not a staged file: ${path}`)
      }
    },

    async restore(path, content) {
      checkPath(path)
      try {
        return await uploaded(path, content, Infinity)
      } catch (error) {
        content.resume()
        throw error
      }
    },

    async unstage(files) {
      await forget(files.filter(({ path }) => staged.has(path)))
    },

    async discard(files) {
      await forget(files.filter(({ path }) => filePathPattern.test(path)))
    },

    async open(path, range) {
      if (!filePathPattern.test(path) || staged.has(path)) return undefined
      const bytes = range && `bytes=${range.start}-${Number.isFinite(range.end) ? range.end : ''}`
      try {
        const found = await bucket.send(new GetObjectCommand({ Bucket: bucket.name, Key: keyOf(path), Range: bytes }))
        const sizeBytes = range ? Number(found.ContentRange?.split('/')[1]) : found.ContentLength!
        return { stream: found.Body as Readable, sizeBytes }
      } catch (error) {
        if (isMissing(error)) return undefined
        if (!isBehindEnd(error)) throw error
        return { stream: Readable.from([]), sizeBytes: (await headOf(path))?.ContentLength ?? 0 }
      }
    },

    async link(path, { fileName, fileType }) {
      if (!options.presignedDownloads || !filePathPattern.test(path) || staged.has(path)) return undefined
      const headers = { disposition: attachmentDisposition(fileName), type: fileType }
      return await bucket.presigned(keyOf(path), headers, linkSeconds)
    },

    async sweep(isKnown, olderThanMs) {
      const before = Date.now() - olderThanMs
      const prefix = keyOf('/uploads/tickets/')
      let removed = 0

      for await (const objects of bucket.objects(prefix)) {
        const paths = objects.filter(({ since }) => since.getTime() <= before).map(({ key }) => pathOf(key))
        const old = paths.filter(path => filePathPattern.test(path))
        const known = old.length > 0 ? await isKnown(old) : new Set()
        for (const path of old.filter(path => !known.has(path))) {
          if (!(await isOurs(path))) continue
          await forget([{ path }])
          removed++
        }
      }
      for await (const { since, abort } of bucket.unfinished(prefix)) {
        if (since.getTime() > before) continue
        await abort()
        removed++
      }
      return removed
    },

    async check() {
      const probe = await store.stage(Readable.from(['probe']), { fileName: 'probe', fileType: '' }, { maxBytes: 5 })
      try {
        await store.keep([probe])
      } finally {
        await store.discard([probe])
      }
    }
  }
  return store

  function checkPath(path: string): void {
    if (!filePathPattern.test(path)) throw new Error(`Not a path of the file store: ${JSON.stringify(path)}`)
  }

  function uploaded(path: string, content: Readable, maxBytes: number) {
    return upload(bucket, keyOf(path), content, { maxBytes, owner: options.owners[0] })
  }

  function keyOf(path: string): string {
    return `${options.prefix}${path.slice(1)}`
  }

  function pathOf(key: string): string {
    return `/${key.slice(options.prefix.length)}`
  }

  async function headOf(path: string) {
    try {
      return await bucket.send(new HeadObjectCommand({ Bucket: bucket.name, Key: keyOf(path) }))
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  async function isOurs(path: string): Promise<boolean> {
    const owner = (await headOf(path))?.Metadata?.[ownerName]
    return owner !== undefined && options.owners.includes(owner)
  }

  /** All of them, even when one cannot be forgotten. */
  async function forget(files: Pick<StagedFile, 'path'>[]): Promise<void> {
    const requests = files.map(async ({ path }) => {
      await bucket.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: keyOf(path) }))
      staged.delete(path)
    })
    for (const request of await Promise.allSettled(requests)) {
      if (request.status === 'rejected') throw request.reason
    }
  }
}

/** One request for a small content; a larger one goes in parts, of which nothing stays when it fails. */
async function upload(
  bucket: S3Bucket,
  key: string,
  content: Readable,
  { maxBytes, owner }: { maxBytes: number; owner: string }
): Promise<Pick<StagedFile, 'fileSizeBytes' | 'sha256'>> {
  const hash = createHash('sha256')
  let fileSizeBytes = 0
  let fault: { error: unknown } | undefined

  async function* counted(): AsyncGenerator<Buffer> {
    let isGiven = false
    try {
      for await (const chunk of content.iterator({ destroyOnReturn: false })) {
        const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
        fileSizeBytes += bytes.length
        if (fileSizeBytes > maxBytes) throw new FileTooLarge(`A file is larger than ${maxBytes} bytes.`)
        hash.update(bytes)
        isGiven = true
        yield bytes
        isGiven = false
      }
    } catch (error) {
      // An upload that fails throws into the yield, and that is not the content's fault.
      if (!isGiven) fault = { error }
      throw error
    }
  }

  try {
    await new Upload({
      client: bucket.client,
      params: {
        Bucket: bucket.name,
        Key: key,
        Body: Readable.from(counted(), { objectMode: false, highWaterMark: 65_536 }),
        Metadata: { [ownerName]: owner }
      },
      partSize: partBytes,
      queueSize: 1
    }).done()
  } catch (error) {
    // Should it fail as well to forget the parts, the content's own fault is still what the caller has to hear.
    throw fault ? fault.error : bucket.refusalOf(error)
  }
  return { fileSizeBytes, sha256: hash.digest('hex') }
}
