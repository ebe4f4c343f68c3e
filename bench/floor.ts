// The floor is what remains without Deskline: a bare server that sends the same statements, prepared by name, on a pool of
// the same size, stores files as durably, and responds with the rows as they are.
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { verify } from '@node-rs/argon2'
import pg from 'pg'
import { parametersOf, type ReplayStep } from './replay-steps.ts'
import { claimsOf, type RequestFields } from './request-fields.ts'

/** The message that the process gets when it starts. The statements for requests with a form have a path that ends in `#form`. */
export interface FloorOptions {
  url: string
  dataDir: string
  connections: number
  routes: Record<string, { steps: ReplayStep[]; hashesAfter: number | undefined }>
}

process.once('message', (options: FloorOptions) => {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections,
    application_name: 'floor',
    options:
      '-c plan_cache_mode=force_generic_plan -c jit=off -c max_parallel_workers_per_gather=0 -c timezone=UTC -c statement_timeout=15000'
  })
  const server = createServer((request, response) => {
    answer(pool, options, request, response).catch(error => {
      console.error(error)
      response.writeHead(500, { 'content-length': 0 }).end()
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))
})
process.on('disconnect', () => process.exit())

async function answer(pool: pg.Pool, options: FloorOptions, request: IncomingMessage, response: ServerResponse) {
  const isForm = request.headers['content-type']?.startsWith('multipart/') === true
  const { steps, hashesAfter } = options.routes[`${request.url}${isForm ? '#form' : ''}`]!
  const { fields, files } = isForm ? await readForm(request, options.dataDir) : await readJson(request)
  const requestFields = { ...claimsOf(request.headers.authorization), ...fields }
  const results = await run(pool, steps, requestFields, files, hashesAfter).catch(emptyWhenCutOff)
  const data = results.findLast(({ rows }) => rows.length > 0)?.rows
  const body = JSON.stringify({ status: 'success', code: 200, message: 'Done', data })
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body)
  })
  response.end(body)
}

/** A search bounds its own time, and one that is cut off is an answer, as it is of Deskline. */
function emptyWhenCutOff(error: Error & { code?: string }): pg.QueryResult[] {
  const queryCanceled = '57014'
  if (error.code !== queryCanceled) throw error
  return []
}

async function run(
  pool: pg.Pool,
  steps: ReplayStep[],
  fields: RequestFields,
  files: StoredFile[],
  hashesAfter: number | undefined
) {
  const results: pg.QueryResult[] = []
  const now = Date.now()
  const rows = JSON.stringify(files.map(({ row }) => row))
  let client: pg.PoolClient | undefined
  try {
    for (const [at, step] of steps.entries()) {
      if (step.text === 'begin') client = await pool.connect()
      if (step.text === 'commit') for (const file of files) await moveIntoPlace(file)
      if (at === hashesAfter) await verify(passwordIn(results), sha256(String(fields.password)))
      const values = parametersOf(step, { fields, results, files: rows, now })
      results.push(await (client ?? pool).query(step.name ? { name: step.name, text: step.text, values } : step.text))
      if (step.text === 'commit') {
        client?.release()
        client = undefined
      }
    }
    return results
  } finally {
    client?.release(true)
  }
}

function passwordIn(results: pg.QueryResult[]): string {
  return results.find(({ rows }) => rows[0]?.password)!.rows[0].password
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

async function readJson(request: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const fields = chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as RequestFields) : {}
  return { fields, files: [] as StoredFile[] }
}

interface StoredFile {
  temporary: string
  final: string
  row: object
}

async function readForm(request: IncomingMessage, dataDir: string) {
  const fields: RequestFields = {}
  const files: Promise<StoredFile>[] = []
  const busboy = new Busboy({ headers: request.headers as BusboyHeaders })
  busboy.on('field', (name, value) => {
    fields[name] = value
  })
  busboy.on('file', (_name, content, fileName, _encoding, fileType) => {
    files.push(store(content, fileName, fileType, dataDir))
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  busboy.on('finish', resolve).on('error', reject)
  request.pipe(busboy)
  await promise
  return { fields, files: await Promise.all(files) }
}

async function store(content: Readable, fileName: string, fileType: string, dataDir: string): Promise<StoredFile> {
  const name = `${randomBytes(16).toString('hex')}.pdf`
  const path = `/uploads/tickets/${name.slice(0, 2)}/${name}`
  const temporary = join(dataDir, 'uploads', name)
  await mkdir(dirname(temporary), { recursive: true })
  const hash = createHash('sha256')
  let fileSizeBytes = 0
  const handle = await open(temporary, 'wx')
  try {
    for await (const chunk of content) {
      fileSizeBytes += chunk.length
      hash.update(chunk)
      await handle.writeFile(chunk)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  const row = { path, fileName, fileType, fileSizeBytes, sha256: hash.digest('hex') }
  return { temporary, final: join(dataDir, path), row }
}

async function moveIntoPlace({ temporary, final }: StoredFile): Promise<void> {
  await mkdir(dirname(final), { recursive: true })
  await rename(temporary, final)
  const folder = await open(dirname(final), 'r')
  await folder.sync()
  await folder.close()
}
