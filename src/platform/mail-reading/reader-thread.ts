import { parentPort } from 'node:worker_threads'
import { Unreadable } from './mime-parts.ts'
import { type Envelope, readMail } from './read-mail.ts'

// Parses one mail at a time. A mail that crashes it kills only this thread.
parentPort?.on('message', ({ raw, envelope }: { raw: ArrayBuffer; envelope: Envelope }) => {
  try {
    const mail = readMail(Buffer.from(raw), envelope)
    const files = [...mail.files, ...(mail.forwarded?.files ?? [])]
    const contents = [...new Set(files.map(({ content }) => content.buffer as ArrayBuffer))]
    parentPort!.postMessage({ mail }, contents)
  } catch (error) {
    const reason = error instanceof Unreadable ? error.message : 'not_readable'
    parentPort!.postMessage({ reason, detail: String(error).slice(0, 300) })
  }
})
parentPort?.postMessage('ready')
