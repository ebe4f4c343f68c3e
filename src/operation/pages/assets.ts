import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag } from '../../lib/entity-tag.ts'

/** A static asset: read once, and compressed once for each encoding. */
export interface Asset {
  type: string
  content: Buffer
  etag: string
  packed: Map<Packing, Promise<Buffer>>
}

type Packing = keyof typeof packings

const packings = {
  br: (content: Buffer) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (content: Buffer) => promisify(gzip)(content, { level: 9 })
}

/** Assets that may change under the same URL are revalidated by their ETag. */
export const cacheRevalidated = 'no-cache'
export const cacheOneHour = 'public, max-age=3600'
export const cacheForever = 'public, max-age=31536000, immutable'

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2'
}

/** Types that are compressed already. */
const dense = /^(image\/(?!svg)|font\/|audio\/|video\/)/

/** Smaller assets gain nothing from compression. */
const minPackedBytes = 1024

export function asset(type: string, content: string | Buffer): Asset {
  const bytes = Buffer.from(content)
  return { type, content: bytes, etag: `"${digestOf(bytes)}"`, packed: new Map() }
}

/** The content type by the file extension. */
export function typeOf(name: string): string {
  return types[extname(name)] ?? 'application/octet-stream'
}

/** A short hash of the content. */
export function digestOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}

/** Sends an asset in an encoding that the caller accepts, or 304 if the caller has it. */
export async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset,
  cacheControl: string
): Promise<FastifyReply> {
  const { etag, type, content } = asset
  const vary = [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', ')
  reply.headers({ etag, vary, 'cache-control': cacheControl })
  // Only successes are conditional (RFC 9110, 13.2.1).
  if (reply.statusCode === 200 && matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()

  const packing = dense.test(type) ? undefined : packingFor(request.headers['accept-encoding'], content)
  reply.type(type)
  if (!packing) return reply.send(content)
  return reply.header('content-encoding', packing).send(await packed(asset, packing))
}

function packed({ content, packed }: Asset, packing: Packing): Promise<Buffer> {
  const known = packed.get(packing) ?? packings[packing](content)
  packed.set(packing, known)
  return known
}

/** The best encoding that the caller accepts (RFC 9110, 12.5.3); one with weight 0 is not accepted. */
function packingFor(acceptEncoding: string | string[] | undefined, content: Buffer): Packing | undefined {
  if (content.length < minPackedBytes) return undefined
  const taken = String(acceptEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map(word => word.trim().split(/\s*;\s*q\s*=\s*/))
    .filter(([, weight]) => weight === undefined || Number(weight) > 0)
    .map(([name]) => name)
  return (['br', 'gzip'] as const).find(packing => taken.includes(packing))
}
