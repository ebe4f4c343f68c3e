import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { processesOn } from './processes.ts'

/** A run of programs, all of whose temporary files lie in one folder. */
export interface Run {
  folder: string
  /** Starts a program of the run, in a group of its own. */
  start(command: string, words: string[], options: SpawnOptions): ChildProcess
}

/** As long as a service may take to end in order, and a little more; then whoever is left is killed. */
const endsWithinMilliseconds = 12_000

/**
 * Plays a run whose temporary files lie in a new folder below `parent`. However it ends, its programs end with it and the folder is
 * gone: a signal goes on to the programs first. Answers the exit code: what `play` answers, or 128 and the number of the signal.
 */
export async function inRunFolder(parent: string, play: (run: Run) => Promise<number>): Promise<number> {
  const programs: ChildProcess[] = []
  let signal: NodeJS.Signals | undefined
  const breakOff = (name: NodeJS.Signals) => {
    signal ??= name
    for (const program of programs) tell(program, name)
  }
  for (const name of signals) process.on(name, breakOff)

  // A short name: below it are sockets, and the path of one may have 103 bytes.
  const folder = await mkdtemp(join(parent, 'desk-'))
  try {
    // As /tmp is: root's tests start servers as another user.
    await chmod(folder, 0o1777)
    const code = await play({
      folder,
      start(command, words, options) {
        const env = { ...(options.env ?? process.env), TMPDIR: folder }
        // What a program started and left behind is in its group as well.
        const program = spawn(command, words, { ...options, env, detached: true })
        programs.push(program)
        if (signal) tell(program, signal)
        return program
      }
    })
    return signal ? 128 + constants.signals[signal] : code
  } finally {
    await end(programs, folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    for (const name of signals) process.off(name, breakOff)
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Ends what outlived its program. Database servers are in groups of their own, and end by themselves when nobody holds them. */
async function end(programs: ChildProcess[], folder: string): Promise<void> {
  const isDeserted = async () => (await processesOn(folder)).length === 0
  for (const name of ['SIGTERM', 'SIGKILL'] as const) {
    if (await isDeserted()) return
    for (const program of programs) tell(program, name)
    const deadline = Date.now() + endsWithinMilliseconds
    while (Date.now() < deadline && !(await isDeserted())) await pause(50)
  }
  for (const pid of await processesOn(folder)) kill(pid, 'SIGKILL')
}

function tell({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid !== undefined) kill(-pid, name)
}

/** Sends a signal to a process or a group that may have ended meanwhile. */
function kill(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
