// The server that uploads and downloads are compared with: it pipes a request into a file, flushes it, and pipes it out again.
import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

process.once('message', ({ path }: { path: string }) => {
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-length': (await stat(path)).size })
      return await pipeline(createReadStream(path), response)
    }
    await pipeline(request, createWriteStream(path))
    const handle = await open(path, 'r+')
    await handle.sync()
    await handle.close()
    response.writeHead(201, { 'content-length': 2 }).end('{}')
  })
  server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))
})
process.on('disconnect', () => process.exit())
