import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { NotFound } from '../../kit/errors.ts'
import {
  type Asset,
  asset,
  cacheForever,
  cacheOneHour,
  cacheRevalidated,
  digestOf,
  sendAsset,
  typeOf
} from './assets.ts'

// The page loads only from this server; its style sheet has icons as data: URLs.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join('; ')

const descriptionFile = join(import.meta.dirname, '../../../docs/openapi.json')

/** Swagger UI, and our own files around it. */
const files = {
  'swagger-ui.css': '@fastify/swagger-ui/static/swagger-ui.css',
  'swagger-ui-bundle.js': '@fastify/swagger-ui/static/swagger-ui-bundle.js',
  'favicon-32x32.png': '@fastify/swagger-ui/static/favicon-32x32.png',
  'reference.css': './reference/reference.css',
  'reference.js': './reference/reference.js'
}

/** The API description as JSON, for callers at `server`, and a reference page made from it that loads nothing from elsewhere. */
export function pages(app: FastifyInstance, server: string): void {
  const description = once(async () => asset('application/json; charset=utf-8', await describedFor(server)))
  const reference = once(referencePage)

  for (const path of ['/openapi.json', '/docs/json']) {
    app.get(path, async (request, reply) => sendAsset(request, reply, await description(), cacheOneHour))
  }
  app.get('/docs', async (request, reply) => {
    const { page, pageBelow } = await reference()
    const [path] = request.url.split('?', 1)
    const asked = path!.endsWith('/') ? pageBelow : page
    return await sendAsset(request, reply.header('content-security-policy', policy), asked, cacheRevalidated)
  })
  app.get('/docs/static/:version/:name', async (request, reply) => {
    const { version, assets } = await reference()
    const params = request.params as { version: string; name: string }
    const found = params.version === version ? assets.get(params.name) : undefined
    if (!found) throw NotFound()
    return await sendAsset(request, reply, found, cacheForever)
  })
}

/** The generated description with the URL of this service. To make it from the endpoints would occupy the process for a second. */
async function describedFor(server: string): Promise<string> {
  const text = await readFile(descriptionFile, 'utf8')
  return text.replace('"url":"/"', () => `"url":${JSON.stringify(server)}`)
}

interface ReferencePage {
  /** At /docs, and at /docs/. */
  page: Asset
  pageBelow: Asset
  /** Part of the assets' URLs: it changes with any of them. */
  version: string
  assets: Map<string, Asset>
}

async function referencePage(): Promise<ReferencePage> {
  const assets = new Map<string, Asset>()
  for (const [name, module] of Object.entries(files)) {
    assets.set(name, asset(typeOf(name), await readFile(fileURLToPath(import.meta.resolve(module)))))
  }
  const version = digestOf(Buffer.from([...assets.values()].map(({ etag }) => etag).join()))
  const pageWith = (folder: string) => asset('text/html; charset=utf-8', html(folder))
  return { page: pageWith(`docs/static/${version}`), pageBelow: pageWith(`static/${version}`), version, assets }
}

/** Relative URLs, since a proxy may serve us below a path. */
function html(folder: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Deskline API</title>
<link rel="icon" type="image/png" href="${folder}/favicon-32x32.png">
<link rel="stylesheet" href="${folder}/swagger-ui.css">
<link rel="stylesheet" href="${folder}/reference.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${folder}/swagger-ui-bundle.js"></script>
<script src="${folder}/reference.js"></script>
</body>
</html>
`
}

/** Shares a running call; a failure is retried. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch(error => {
      made = undefined
      throw error
    })
    return made
  }
}
