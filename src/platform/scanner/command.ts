import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { firstLine, ScanFailed, type Scanner, type Verdict } from './scanner.ts'

export interface CommandOptions {
  command: readonly [string, ...string[]]
  timeoutSeconds: number
  /** The only environment that the command gets: ours contains secrets. */
  environment: Record<string, string | undefined>
}

const keptCharacters = 10_000

/** Scans files with a command that reads them from its standard input. Its exit code is the verdict: 0 clean, 1 infected. */
export function commandScanner(options: CommandOptions): Scanner {
  return { scan: content => run(content, options) }
}

async function run(content: Readable, { command, timeoutSeconds, environment }: CommandOptions): Promise<Verdict> {
  const [program, ...words] = command
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
  const child = spawn(program, words, {
    env: environment,
    signal: timeout,
    killSignal: 'SIGKILL',
    stdio: ['pipe', 'pipe', 'pipe']
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', text => {
      if (said[name].length < keptCharacters) said[name] += text
    })
  }
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  ended.catch(() => {})

  const isDelivered = await pipeline(content, child.stdin, { signal: timeout }).then(
    () => true,
    () => false
  )
  const outcome = await ended.catch((error: Error) => error)
  if (timeout.aborted) throw new ScanFailed(`${program} took longer than ${timeoutSeconds} seconds`)
  if (outcome instanceof Error) throw new ScanFailed(`${program} could not be run: ${outcome.message}`)

  const answer = firstLine(said.stdout) || firstLine(said.stderr)
  if (outcome.code === 1) return { isClean: false, answer: answer || 'infected' }
  if (outcome.code !== 0) throw new ScanFailed(`${program} ended with ${outcome.code ?? outcome.signal}: ${answer}`)
  // A file that was not read to its end is not clean, whatever the exit code.
  if (!isDelivered) throw new ScanFailed(`${program} was not given all of the file`)
  return { isClean: true, answer: answer || 'clean' }
}
