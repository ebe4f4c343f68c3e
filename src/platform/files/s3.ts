import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { GetObjectCommand } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { attachmentDisposition } from '../../lib/content-disposition.ts'
import { type FileStore, FileTooLarge, filePathPattern, newFilePath, type StagedFile } from './file-store.ts'
import { acceptedKind, cleanFileName } from './kinds.ts'
import { isMissing, isRangeNotSatisfiable, openBucket, type S3Bucket, type S3Place } from './s3-client.ts'
import {
  existsAndIsOurs,
  installationName,
  keyOf,
  metadataOf,
  quarantineKeyOf,
  removeKey,
  sweepableBucket
} from './s3-sweep.ts'
import { type FileOwner, sizeOfQuarantine, sweepFiles } from './sweep.ts'

export interface S3Options extends S3Place {
  /** The prefix of every key: empty, or ending in a slash. */
  prefix: string
  /** Whether callers are redirected to the store for the content, rather than getting it from us. */
  presignedDownloads: boolean
  /** Its id is in every object, so that nobody removes what another installation stores in the same bucket. */
  owner: FileOwner
}

const linkSeconds = 60
/** The minimum size of a part. Each running upload has one in memory, and a second one while it is assembled. */
const partBytes = 5 * 1024 * 1024

/**
 * Attachments as objects `<prefix>uploads/tickets/<2 hex>/<name>` of an S3-compatible store. An object is created whole at its final path, which
 * nobody knows before its row is committed, so keeping needs no request. This process remembers staged files; `sweep` removes those it loses by
 * dying.
 */
export function s3FileStore(options: S3Options): FileStore {
  const bucket = openBucket(options)
  const places = { bucket, prefix: options.prefix, owner: options.owner }
  const sweepable = sweepableBucket(places)
  const staged = new Set<string>()

  const store: FileStore = {
    async stage(content, file, { maxBytes }) {
      // An iterator handles errors only while it runs: before and after, an aborted request would end the process.
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
        if (!staged.delete(path) && !(await metadataOf(places, keyOf(places, path))))
          throw new Error(`Not a staged file: ${path}`)
      }
    },

    async restore(path, content) {
      checkPath(path)
      try {
        const isNew = !(await existsAndIsOurs(places, path))
        return { ...(await uploaded(path, content, Infinity)), isNew }
      } catch (error) {
        content.resume()
        throw error
      }
    },

    async unstage(files) {
      await each(files, async path => {
        if (staged.has(path)) await forget(path)
      })
    },

    async discard(files) {
      await each(files, async path => {
        if (!filePathPattern.test(path)) return
        if (!staged.has(path)) await existsAndIsOurs(places, path)
        await forget(path)
      })
    },

    async open(path, range) {
      if (!filePathPattern.test(path) || staged.has(path)) return undefined
      return (await opened(keyOf(places, path), range)) ?? (await opened(quarantineKeyOf(places, path), range))
    },

    async link(path, { fileName, fileType }) {
      if (!options.presignedDownloads || !filePathPattern.test(path) || staged.has(path)) return undefined
      // A file in quarantine is served by us until the next sweep moves it back.
      if (!(await metadataOf(places, keyOf(places, path)))) return undefined
      const headers = { disposition: attachmentDisposition(fileName), type: fileType }
      return await bucket.presigned(keyOf(places, path), headers, linkSeconds)
    },

    sweep: (isKnown, options) => sweepFiles(sweepable, isKnown, options),

    quarantine: () => sizeOfQuarantine(sweepable),

    // Each object names its own owner.
    async otherOwner() {
      return undefined
    },

    async claim() {},

    async check() {
      const probe = await store.stage(Readable.from(['probe']), { fileName: 'probe', fileType: '' }, { maxBytes: 5 })
      try {
        await store.keep([probe])
      } finally {
        await forget(probe.path)
      }
    }
  }
  return store

  function checkPath(path: string): void {
    if (!filePathPattern.test(path)) throw new Error(`Not a path of the file store: ${JSON.stringify(path)}`)
  }

  function uploaded(path: string, content: Readable, maxBytes: number) {
    return upload(bucket, keyOf(places, path), content, { maxBytes, id: options.owner.id })
  }

  async function opened(key: string, range: { start: number; end: number } | undefined) {
    const bytes = range && `bytes=${range.start}-${Number.isFinite(range.end) ? range.end : ''}`
    try {
      const found = await bucket.send(new GetObjectCommand({ Bucket: bucket.name, Key: key, Range: bytes }))
      const sizeBytes = range ? Number(found.ContentRange?.split('/')[1]) : found.ContentLength!
      return { stream: found.Body as Readable, sizeBytes }
    } catch (error) {
      if (isMissing(error)) return undefined
      if (!isRangeNotSatisfiable(error)) throw error
      return { stream: Readable.from([]), sizeBytes: (await metadataOf(places, key))?.ContentLength ?? 0 }
    }
  }

  async function forget(path: string): Promise<void> {
    await removeKey(places, keyOf(places, path))
    await removeKey(places, quarantineKeyOf(places, path))
    staged.delete(path)
  }
}

/** Runs all of them, even if one fails. */
async function each(files: Pick<StagedFile, 'path'>[], work: (path: string) => Promise<void>): Promise<void> {
  for (const done of await Promise.allSettled(files.map(({ path }) => work(path)))) {
    if (done.status === 'rejected') throw done.reason
  }
}

/** One request for small content; larger content is uploaded in parts, which are removed if it fails. */
async function upload(
  bucket: S3Bucket,
  key: string,
  content: Readable,
  { maxBytes, id }: { maxBytes: number; id: string }
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
      // A failed upload throws into the yield, and that is not the content's error.
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
        Metadata: { [installationName]: id }
      },
      partSize: partBytes,
      queueSize: 1
    }).done()
  } catch (error) {
    // Even if removing the parts fails as well, the caller gets the content's own error.
    throw fault ? fault.error : bucket.refusalOf(error)
  }
  return { fileSizeBytes, sha256: hash.digest('hex') }
}
