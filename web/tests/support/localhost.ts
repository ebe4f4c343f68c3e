import { createServer } from 'node:net'
import { type Desk, startDesk } from './desk.ts'
import { test as base } from './test.ts'

/** Tests on a desk of their own at a name: at an IP address browsers have no passkeys, and providers send back to BASE_URL alone. */
export const test = base.extend<object, { desk: Desk }>({
  desk: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants to see what a fixture needs.
    async ({}, use) => {
      const port = await freePort()
      const url = `http://localhost:${port}`
      const desk = await startDesk({ PORT: String(port), BASE_URL: url })
      await use({ ...desk, url })
      await desk.stop()
    },
    { scope: 'worker', timeout: 90_000 }
  ]
})

/** The address has to be known before the desk starts. */
async function freePort(): Promise<number> {
  const server = createServer()
  const port = await new Promise<number>(listening =>
    server.listen(0, '127.0.0.1', () => listening((server.address() as { port: number }).port))
  )
  await new Promise(closed => server.close(closed))
  return port
}
