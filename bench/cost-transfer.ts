import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { accountsOf } from './accounts.ts'
import type { Bench } from './against-floor.ts'
import { formAround } from './http-message.ts'
import { memoryOf } from './process-usage.ts'
import { serve } from './servers.ts'
import { ratios, summary } from './statistics.ts'
import { copiesOf, templateOf } from './testbed.ts'
import { download, upload } from './transfer.ts'

const megabyte = 1024 * 1024

/** Measures the upload and download of a large file, compared with a bare pipe to the same disk. */
export async function costOfTransfer({ databases, options, dataDir, results, say }: Bench): Promise<void> {
  const bytes = (options.isShort ? 64 : 1024) * megabyte
  const size = options.isShort ? '64 MB' : '1 GB'
  const database = 'bench_transfer'
  await copiesOf(databases, await templateOf(databases, options.sizes[0]!, () => {}), [database])
  const folder = join(dataDir, 'transfer')
  const server = await serve({ dataDir: folder, url: databases.url(database) })
  const pipeServer = fork(join(import.meta.dirname, 'pipe-server.ts'))
  pipeServer.send({ path: join(folder, 'piped') })
  const [{ port }] = (await once(pipeServer, 'message')) as [{ port: number }]
  try {
    const { writingClients } = await accountsOf(databases.url(database))
    const authorization = `Bearer ${writingClients[0]!.token}`
    const form = formAround({ department_id: '1', subject: 'A large file', message: 'It is attached.' })
    const memory = async () => (await memoryOf([server.pid])).rss
    await upload(
      server.port,
      '/api/tickets/create',
      { authorization, 'content-type': form.type },
      { ...form, bytes: megabyte }
    )
    const atRest = await memory()
    const peak = { up: 0, down: 0 }
    const seconds = { up: [] as number[], upPiped: [] as number[], down: [] as number[], downPiped: [] as number[] }

    for (let round = 0; round < options.rounds; round++) {
      const ours = async () => {
        const { answer, status, ...sent } = await watched('up', () =>
          upload(server.port, '/api/tickets/create', { authorization, 'content-type': form.type }, { ...form, bytes })
        )
        if (status !== 201) throw new Error(`An upload was answered ${status}: ${answer}`)
        seconds.up.push(sent.seconds)
        const path = JSON.parse(answer).data.attachments[0].file_path
        const back = await watched('down', () => download(server.port, path, { authorization }))
        if (back.status !== 200) throw new Error(`A download was answered ${back.status}`)
        seconds.down.push(back.seconds)
        await rm(join(folder, path))
      }
      const piped = async () => {
        seconds.upPiped.push((await upload(port, '/', {}, { head: form.head, tail: form.tail, bytes })).seconds)
        seconds.downPiped.push((await download(port, '/', {})).seconds)
      }
      for (const play of round % 2 === 0 ? [ours, piped] : [piped, ours]) await play()
      say(`transfer, round ${round + 1}`)
    }
    const of = (theirs: number[], own: number[]) => summary(ratios(theirs, own))
    const add = (
      name: string,
      unit: string,
      value: ReturnType<typeof summary>,
      mark?: { atMost: number } | { atLeast: number }
    ) => results.costs.push({ name, unit, value, mark })
    add(`upload of ${size}, speed`, 'of the bare pipe', of(seconds.upPiped, seconds.up), { atLeast: 0.8 })
    add(`upload of ${size}, memory above rest`, 'MB', summary([peak.up - atRest]), { atMost: 40 })
    add(`download of ${size}, speed`, 'of the bare pipe', of(seconds.downPiped, seconds.down))
    add(`download of ${size}, memory above rest`, 'MB', summary([peak.down - atRest]), { atMost: 40 })

    async function watched<T>(way: 'up' | 'down', work: () => Promise<T>): Promise<T> {
      const watching = setInterval(async () => {
        peak[way] = Math.max(peak[way], await memory())
      }, 25)
      try {
        return await work()
      } finally {
        clearInterval(watching)
      }
    }
  } finally {
    pipeServer.disconnect()
    await server.stop()
    await databases.drop(database)
    await rm(folder, { recursive: true, force: true })
  }
}
