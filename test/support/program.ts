import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** A run of `bin/deskline.js` in a process of its own. */
export interface Program {
  child: ChildProcess
  /** All that it has written so far, to both outputs. */
  output(): string
  /** The first match in its output; fails if the program ends, or 60 s pass, without one. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>
}

/** Runs `deskline` with these arguments; of our environment it gets only PATH and TMPDIR, and no `.env` of a developer. */
export function deskline(
  words: string[],
  environment: NodeJS.ProcessEnv = {},
  { node = process.execPath, folder = root, entry = [join(folder, 'bin/deskline.js')] } = {}
): Program {
  const child = spawn(node, [...entry, ...words], {
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, PORT: '0', DESKLINE_ENV_FILE: '', ...environment },
    stdio: ['pipe', 'pipe', 'pipe']
  })
  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      output += text
      for (const listener of listeners) listener()
    })
  }
  const ended = new Promise<number | NodeJS.Signals | null>(resolve => {
    child.once('close', (code, signal) => resolve(code ?? signal))
  })

  return {
    child,
    output: () => output,
    ended,
    says: pattern =>
      new Promise((resolve, reject) => {
        const fail = (why: string) => reject(new Error(`${why} without ${pattern}:\n${output}`))
        const timer = setTimeout(() => fail('60 s passed'), 60_000)
        const look = () => {
          const match = pattern.exec(output)
          if (!match) return
          clearTimeout(timer)
          listeners.delete(look)
          resolve(match)
        }
        listeners.add(look)
        look()
        ended.then(() => {
          clearTimeout(timer)
          fail('It ended')
        })
      }),
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    }
  }
}

/** Runs it to its end, with `input` on standard input. */
export async function run(words: string[], environment: NodeJS.ProcessEnv = {}, input = '') {
  const program = deskline(words, environment)
  program.child.stdin!.end(input)
  return { code: await program.ended, output: program.output() }
}

/** Serves on a free port; resolves when it listens, with the URL. */
export async function served(
  environment: NodeJS.ProcessEnv,
  ...options: string[]
): Promise<Program & { url: string; port: number }> {
  const program = deskline(['serve', ...options], { PORT: '0', ...environment })
  const [, url] = await program.says(/listening on (http:\/\/[^"]+)/).catch(async error => {
    // Otherwise nobody would stop it.
    await program.stop('SIGKILL')
    throw error
  })
  return { ...program, url: url!, port: Number(new URL(url!).port) }
}
