import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { type Command, InvalidArgumentError } from 'commander'
import { readConfig } from '../../core/config.ts'
import { serve } from '../../main.ts'
import { serveAsWorker } from '../cluster/serve-as-worker.ts'
import { serveWithWorkers } from '../cluster/serve-with-workers.ts'

interface Options {
  /** False: this process runs no jobs. */
  worker: boolean
  workers?: number | true
}

export function serveCommand(command: Command): void {
  command
    .option('--no-worker', 'leave e-mails and other jobs to "deskline worker"')
    .option('--workers [number]', 'serve with several processes on one port; by default one per core', count)
    .action(async ({ worker: jobs, workers }: Options) => {
      const config = readConfig(process.env)
      if (cluster.isWorker) process.exitCode = await serveAsWorker(config, { jobs })
      else if (workers === undefined) process.exitCode = await serve(config, { jobs })
      else
        process.exitCode = await serveWithWorkers(config, workers === true ? availableParallelism() : workers, { jobs })
    })
}

function count(given: string): number {
  const value = Number(given)
  if (/^\d{1,3}$/.test(given) && value >= 1 && value <= 64) return value
  throw new InvalidArgumentError('It must be a number from 1 to 64.')
}
