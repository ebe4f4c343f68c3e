import assert from 'node:assert/strict'
import type { Desk } from './desk.ts'
import type { Asker } from './requests.ts'
import { storedFiles } from './tickets.ts'

/** Replies to a ticket at `path` with a file that is sent up to its middle, and stored so far; `finish` sends the rest. */
export async function slowReply(desk: Desk, path: string, asker: NonNullable<Asker>, id: number) {
  const part = (name: string, rest: string) => `--x\r\ncontent-disposition: form-data; name="${name}"${rest}`
  const fields = part('id', `\r\n\r\n${id}\r\n`) + part('message', '\r\n\r\nSee.\r\n')
  const head = `${fields}${part('f', '; filename="a.txt"')}\r\ncontent-type: text/plain\r\n\r\n`
  let finish = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from(`${head}${'x'.repeat(100_000)}`))
      finish = () => {
        controller.enqueue(Buffer.from('the end\r\n--x--\r\n'))
        controller.close()
      }
    }
  })
  const headers = { authorization: `Bearer ${asker.token}`, 'content-type': 'multipart/form-data; boundary=x' }
  const files = (await storedFiles(desk)).length
  const reply = fetch(desk.url + path, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
  const deadline = Date.now() + 60_000
  while ((await storedFiles(desk)).length === files) assert.ok(Date.now() < deadline, 'the upload never began')
  return { reply, finish: () => finish() }
}
