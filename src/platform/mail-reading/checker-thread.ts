import { PassThrough, pipeline } from 'node:stream'
import { parentPort } from 'node:worker_threads'
import { checkAuthenticity, type ReceivedMail } from './check-authenticity.ts'
import { limitedHead } from './limited-head.ts'

let open: PassThrough | undefined

// Checks one mail at a time, each streamed in chunks. A mail that crashes it kills only this thread.
parentPort?.on('message', (message: { sent: ReceivedMail } | { chunk: Uint8Array } | 'end') => {
  if (message === 'end') open?.end()
  else if ('chunk' in message) open?.write(message.chunk, () => parentPort!.postMessage('more'))
  else begin(message.sent)
})

function begin(sent: ReceivedMail): void {
  open = new PassThrough()
  const head = limitedHead()
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  pipeline(open, head, error => error && failed.reject(error))
  Promise.race([checkAuthenticity(head, sent), failed.promise]).then(
    checks => parentPort!.postMessage({ checks }),
    error => parentPort!.postMessage({ failure: String(error).slice(0, 300) })
  )
}
parentPort?.postMessage('ready')
