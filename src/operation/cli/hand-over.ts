import { once } from 'node:events'
import { connect } from 'node:net'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { handOverSocket } from '../../intake/mailbox/hand-over-socket.ts'
import { useEnvFile } from './env-file.ts'

// An import would load all that these modules name, `fetch` and WebSockets among it, which takes longer than all the rest of the command.
const { request } = process.getBuiltinModule('node:http')
const { parseArgs } = process.getBuiltinModule('node:util')

// The exit codes that mail servers know (sysexits.h): the mail bounces, or is retried later.
const dataError = 65
const temporaryFailure = 75

/**
 * `deskline receive` beside a service that runs: hands the e-mail on standard input to it, and resolves to the exit code. Undefined, with nothing read, if
 * none takes it or the words are not plain: then the command does it all itself. This file imports next to nothing, because a mail server starts it
 * for every e-mail.
 */
export async function handOver(words: string[]): Promise<number | undefined> {
  const socket = await serviceFor(words)
  if (!socket) return undefined
  try {
    const { recipient, sender } = envelopeIn(words)
    const query = new URLSearchParams({
      ...(recipient === undefined ? {} : { recipient }),
      ...(sender === undefined ? {} : { sender })
    })
    const asked = request({ method: 'POST', path: `/?${query}`, createConnection: () => socket })
    const answered = once(asked, 'response')
    process.stdin.pipe(asked)
    const [response] = await answered
    const said = await text(response)
    if (response.statusCode === 200) {
      process.stdout.write(`${said}\n`)
      return 0
    }
    process.stderr.write(`${(JSON.parse(said) as { message: string }).message}\n`)
    return response.statusCode === 422 ? dataError : temporaryFailure
  } catch (error) {
    process.stderr.write(`The service broke off: ${(error as Error).message}\n`)
    return temporaryFailure
  }
}

/** A connection to the service on this data folder. What is wrong with the words or the settings, the command itself reports. */
async function serviceFor(words: string[]) {
  const environment = { ...process.env }
  try {
    envelopeIn(words)
    useEnvFile(environment)
    const socket = connect(handOverSocket(resolve(environment.DATA_DIR?.trim() || './data')))
    await once(socket, 'connect')
    return socket
  } catch {
    return undefined
  }
}

function envelopeIn(words: string[]): { recipient?: string | undefined; sender?: string | undefined } {
  return parseArgs({ args: words, options: { recipient: { type: 'string' }, sender: { type: 'string' } } }).values
}
