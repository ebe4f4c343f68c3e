import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver, { type S3rverContext } from 's3rver'
import type { S3Options } from '../../src/platform/files/s3.ts'
import { aFileOwner } from './file-owner.ts'
import { signatureFault } from './s3-signature.ts'

/** An S3-compatible store in a folder (s3rver). What it lacks is added here: signatures, some operations, and faults. */
export interface S3Server {
  url: string
  /** The requests so far, as `PUT /bucket/key?query`. */
  requests: string[]
  /** The bytes received so far. */
  receivedBytes(): number
  /** The next `times` matching requests get this error instead of a response, or are cut off after its first bytes. */
  meets(pattern: RegExp, fault: { status: number; code: string } | 'cut off', times?: number): void
  /** A new and empty bucket. */
  bucket(): Promise<S3Bucket>
  stop(): Promise<void>
}

interface S3Bucket {
  /** The connection options. */
  options: S3Options
  /** The keys of all objects, sorted. */
  held(): Promise<string[]>
  /** The keys of all unfinished uploads. */
  unfinished(): Promise<string[]>
  /** Makes everything that is there now this old, except keys that end with `except`. */
  age(milliseconds: number, except?: string): Promise<void>
}

const objectEnding = '._S3rver_object'
/** The server knows this one only, and leaves signatures to us. */
const secretKey = 'S3RVER'
const uploadsFolder = '._S3rver_uploads'

export async function startS3(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'deskline-s3-'))
  const s3rver = new S3rver({ directory, silent: true })
  // Before the router: it sees the errors that come out of it.
  s3rver.middleware.splice(-1, 0, (context, next) => amended(s3rver, directory, context, next))

  const answer = s3rver.callback()
  const requests: string[] = []
  const faults: { pattern: RegExp; fault: Parameters<S3Server['meets']>[1]; times: number }[] = []
  const sockets: Socket[] = []
  const server = createServer((request, response) => {
    const asked = `${request.method} ${request.url}`
    requests.push(asked)
    const met = faults.find(each => each.times > 0 && each.pattern.test(asked))
    if (met) met.times--
    if (met && met.fault !== 'cut off') return refuse(request, response, met.fault)
    if (met) cutOff(response)
    const code = signatureFault(request, secretKey)
    if (code) return refuse(request, response, { status: 403, code })
    answer(request, response)
  })
  server.on('connection', socket => sockets.push(socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let buckets = 0

  return {
    url,
    requests,
    receivedBytes: () => sockets.reduce((sum, socket) => sum + socket.bytesRead, 0),
    meets: (pattern, fault, times = 1) => void faults.push({ pattern, fault, times }),
    async bucket() {
      const name = `desk-${++buckets}`
      await mkdir(join(directory, name, uploadsFolder), { recursive: true })
      return bucketIn(join(directory, name), { url, name })
    },
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await rm(directory, { recursive: true, force: true })
    }
  }
}

function bucketIn(folder: string, { url, name }: { url: string; name: string }): S3Bucket {
  const files = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  }
  const objects = async () => (await files()).filter(place => place.endsWith(objectEnding))
  const keyOf = (place: string) => place.slice(folder.length + 1, -objectEnding.length)

  return {
    options: {
      bucket: name,
      region: 'us-east-1',
      endpoint: url,
      publicEndpoint: undefined,
      pathStyle: true,
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: secretKey },
      prefix: 'desk/',
      presignedDownloads: false,
      owner: aFileOwner({ id: 'this installation' })
    },
    held: async () => (await objects()).map(keyOf).sort(),
    unfinished: async () => (await uploadsIn(folder)).map(upload => upload.key),
    async age(milliseconds, except = '-') {
      const then = new Date(Date.now() - milliseconds)
      const aged = (await objects()).filter(place => !keyOf(place).endsWith(except))
      const uploads = (await uploadsIn(folder)).filter(upload => !upload.key.endsWith(except))
      for (const place of [...aged, ...uploads.map(upload => upload.place)]) await utimes(place, then, then)
    }
  }
}

interface UnfinishedUpload {
  id: string
  key: string
  /** The file that tells its key, and by its time when it began. */
  place: string
}

async function uploadsIn(bucketFolder: string): Promise<UnfinishedUpload[]> {
  const folder = join(bucketFolder, uploadsFolder)
  const uploads: UnfinishedUpload[] = []
  for (const id of await readdir(folder)) {
    const place = join(folder, id, 'key')
    // One that ends at this moment is none any more.
    const key = await readFile(place, 'utf8').catch(() => undefined)
    if (key !== undefined) uploads.push({ id, key, place })
  }
  return uploads
}

/**
 * The server does not know how to abort and list uploads in parts, and cannot go on with a long listing where the DES that its
 * tokens are made with is gone. All three are done here, in its own folders.
 */
async function amended(s3rver: S3rver, directory: string, context: S3rverContext, next: () => Promise<void>) {
  try {
    await next()
  } catch (error) {
    const { method, query } = context
    const code = (error as { code?: string }).code
    const bucket = context.path.split('/')[1]!
    const folder = join(directory, bucket)
    if (code === 'MethodNotAllowed' && method === 'DELETE' && query.uploadId) {
      await rm(join(folder, uploadsFolder, query.uploadId), { recursive: true })
      context.status = 204
    } else if (code === 'NotImplemented' && method === 'GET' && 'uploads' in query) {
      context.body = { ListMultipartUploadsResult: { IsTruncated: false, Upload: await listedUploads(folder, query) } }
    } else if (code === 'ERR_OSSL_EVP_UNSUPPORTED') {
      context.body = { ListBucketResult: await listedObjects(s3rver, bucket, query) }
    } else {
      throw error
    }
  }
}

async function listedUploads(folder: string, { prefix = '' }: Record<string, string>) {
  const uploads = (await uploadsIn(folder)).filter(upload => upload.key.startsWith(prefix))
  const listed = uploads.map(async ({ key, id, place }) => ({
    Key: key,
    UploadId: id,
    Initiated: (await stat(place)).mtime.toISOString()
  }))
  return await Promise.all(listed)
}

async function listedObjects({ store }: S3rver, bucket: string, query: Record<string, string>) {
  const { objects, isTruncated } = await store.listObjects(bucket, {
    prefix: query.prefix ?? '',
    startAfter: Buffer.from(query['continuation-token'] ?? '', 'base64url').toString(),
    maxKeys: Number(query['max-keys'] ?? 1000)
  })
  return {
    IsTruncated: isTruncated,
    ...(isTruncated ? { NextContinuationToken: Buffer.from(objects.at(-1)!.key).toString('base64url') } : {}),
    KeyCount: objects.length,
    Contents: objects.map(({ key, size, lastModifiedDate }) => ({
      Key: key,
      Size: size,
      LastModified: lastModifiedDate.toISOString()
    }))
  }
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code }: { status: number; code: string }
) {
  request.resume().once('end', () => {
    response.writeHead(status, { 'content-type': 'application/xml' })
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>As the test wants it</Message></Error>`)
  })
}

function cutOff(response: ServerResponse): void {
  const write = response.write.bind(response) as (chunk: unknown, after: () => void) => boolean
  response.write = (chunk: unknown) => write(chunk, () => response.destroy())
}
