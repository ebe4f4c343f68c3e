import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** One line from standard input: asked for twice without echo at a terminal, read as it is from a pipe. */
export async function readSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) return await nextLine('')
  const secret = await nextLine(question)
  if ((await nextLine('Once more: ')) === secret) return secret
  throw new Error('The two passwords differ: nothing was changed.')
}

async function nextLine(question: string): Promise<string> {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: process.stdin.isTTY })
  try {
    return await new Promise((resolve, reject) => {
      lines.once('line', resolve)
      lines.once('SIGINT', () => reject(new Error('Stopped: nothing was changed.')))
      lines.once('close', () => reject(new Error('No password was given: nothing was changed.')))
    })
  } finally {
    lines.close()
    if (question) process.stderr.write('\n')
  }
}
