import {
  AbortMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  S3Client,
  type S3ClientConfig
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { FileStoreFull, FileStoreUnavailable } from './file-store.ts'

/** The bucket, and our credentials. */
export interface S3Place {
  bucket: string
  region: string
  /** Undefined: Amazon's own, by region. */
  endpoint: string | undefined
  /** The URL under which callers reach the endpoint, if it differs. */
  publicEndpoint: string | undefined
  /** `endpoint/bucket/key` rather than `bucket.endpoint/key`. */
  pathStyle: boolean
  /** Undefined: the machine's own credentials (roles, the standard variables and files). */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
  /** Objects per page of a listing; 1000 by default, which is the maximum. */
  pageSize?: number
}

/** An object, or an unfinished multipart upload. */
interface Listed {
  key: string
  since: Date
}

export interface S3Bucket {
  client: S3Client
  name: string
  /** Sends one command; fails with `FileStoreUnavailable`, `FileStoreFull`, or an error that `isMissing` or `isRangeNotSatisfiable` recognizes. */
  send: S3Client['send']
  /** A store's error as the port's error. */
  refusalOf(error: unknown): Error
  /** Pages of objects whose keys have this prefix. */
  objects(prefix: string): AsyncGenerator<(Listed & { sizeBytes: number })[]>
  /** Unfinished uploads whose keys have this prefix; `abort` removes one with its parts. */
  unfinished(prefix: string): AsyncGenerator<Listed & { abort(): Promise<void> }>
  /** A URL that serves the object with these headers, to anybody, for this long. */
  presigned(key: string, headers: { disposition: string; type: string }, seconds: number): Promise<string>
}

/** Three attempts to connect take about ten seconds, since a request waits for them. Once connected, the store has a minute to respond. */
const timeouts = {
  connectionTimeout: 3_000,
  requestTimeout: 60_000,
  throwOnRequestTimeout: true,
  socketTimeout: 60_000
}
/** A download occupies its connection for as long as the caller is slow; uploads still need a free one. */
const agent = { maxSockets: 1_000, keepAlive: true }

export function openBucket(place: S3Place): S3Bucket {
  const { bucket: name, endpoint, publicEndpoint, pageSize = 1_000 } = place
  const client = new S3Client(clientConfig(place, endpoint))
  const signer = publicEndpoint ? new S3Client(clientConfig(place, publicEndpoint)) : client
  const where = `S3 bucket ${name}${endpoint ? ` at ${endpoint}` : ''}`
  const refusalOf = (error: unknown) => refusal(error, where)

  const send = async (...given: Parameters<S3Client['send']>) => {
    try {
      return await client.send(...given)
    } catch (error) {
      throw isMissing(error) || isRangeNotSatisfiable(error) ? error : refusalOf(error)
    }
  }
  const bucket: S3Bucket = {
    client,
    name,
    send: send as S3Client['send'],
    refusalOf,

    async *objects(prefix) {
      let token: string | undefined
      do {
        const page = await bucket.send(
          new ListObjectsV2Command({ Bucket: name, Prefix: prefix, MaxKeys: pageSize, ContinuationToken: token })
        )
        yield (page.Contents ?? []).map(({ Key, LastModified, Size }) => ({
          key: Key!,
          since: LastModified!,
          sizeBytes: Size ?? 0
        }))
        token = page.NextContinuationToken
      } while (token)
    },

    async *unfinished(prefix) {
      let at: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {}
      while (at) {
        const page: ListMultipartUploadsCommandOutput = await bucket.send(
          new ListMultipartUploadsCommand({ Bucket: name, Prefix: prefix, MaxUploads: pageSize, ...at })
        )
        for (const { Key, Initiated, UploadId } of page.Uploads ?? []) {
          const abort = async () => {
            await bucket.send(new AbortMultipartUploadCommand({ Bucket: name, Key, UploadId }))
          }
          yield { key: Key!, since: Initiated!, abort }
        }
        at = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : undefined
      }
    },

    presigned(key, { disposition, type }, seconds) {
      const command = new GetObjectCommand({
        Bucket: name,
        Key: key,
        ResponseContentDisposition: disposition,
        ResponseContentType: type,
        ResponseCacheControl: 'private, no-store'
      })
      return getSignedUrl(signer, command, { expiresIn: seconds })
    }
  }
  return bucket
}

/** There is no such object. A missing bucket is another error. */
export function isMissing(error: unknown): boolean {
  return error instanceof NoSuchKey || error instanceof NotFound
}

/** The range begins after the end of the object. */
export function isRangeNotSatisfiable(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidRange'
}

function clientConfig({ region, pathStyle, credentials }: S3Place, endpoint: string | undefined): S3ClientConfig {
  return {
    region,
    endpoint,
    credentials,
    forcePathStyle: pathStyle,
    requestHandler: { ...timeouts, httpAgent: agent, httpsAgent: agent },
    maxAttempts: 3,
    // The SHA-256 in the signature covers the content; many stores do not support other checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED'
  }
}

/** The errors of stores that are full: Amazon has none of these. */
const fullNames =
  /^(QuotaExceeded|InsufficientStorage|XMinioStorageFull|XMinioAdminBucketQuotaExceeded|StorageFull|507)$/

function refusal(error: unknown, where: string): Error {
  if (error instanceof FileStoreUnavailable || error instanceof FileStoreFull) return error
  const { name, message, code, $metadata } = error as {
    name: string
    message: string
    code?: string
    $metadata?: { httpStatusCode?: number }
  }
  if ($metadata?.httpStatusCode === 507 || fullNames.test(name)) {
    return new FileStoreFull(`${where} is full.`, { cause: error })
  }
  const reason = [code ?? name, message].filter(each => each && each !== 'Error').join(': ')
  return new FileStoreUnavailable(`${where} cannot be used: ${reason || 'no reason was given'}`, { cause: error })
}
