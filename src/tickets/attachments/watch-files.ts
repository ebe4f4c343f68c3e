import { Gauge } from 'prom-client'
import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { cached } from '../../lib/cached.ts'
import { withTimeout } from '../../lib/timeout.ts'
import type { LastSweep } from './sweep-uploads.ts'

const pollMilliseconds = 10_000
const answerWithinMilliseconds = 2_000
const reasons = ['another installation', 'mostly unknown'] as const

/** Exports the result of the last sweep as metrics: every process of an installation reports the same. */
export function watchFiles({ metrics, db }: Pick<Services, 'metrics' | 'db'>): void {
  const registers = [metrics.registry]
  const look = cached(pollMilliseconds, () =>
    withTimeout(answerWithinMilliseconds, lastSweep(db)).catch(() => undefined)
  )

  new Gauge({
    name: 'deskline_file_sweep_held',
    help: 'Whether the last sweep took no file away because the files are not those of this database.',
    labelNames: ['reason'],
    registers,
    async collect() {
      const found = await look()
      this.reset()
      for (const reason of reasons) if (found) this.set({ reason }, found.held === reason ? 1 : 0)
    }
  })
  new Gauge({
    name: 'deskline_files_quarantined',
    help: 'Files that no ticket names and that are set aside before they are removed.',
    registers,
    async collect() {
      this.set((await look())?.quarantine.files ?? 0)
    }
  })
  new Gauge({
    name: 'deskline_files_quarantined_bytes',
    help: 'The size of the files that are set aside.',
    registers,
    async collect() {
      this.set((await look())?.quarantine.bytes ?? 0)
    }
  })
}

/** Undefined before the first sweep. */
export async function lastSweep(db: Db): Promise<LastSweep | undefined> {
  const row = await db.selectFrom('installation').select('last_sweep').executeTakeFirst()
  return (row?.last_sweep ?? undefined) as LastSweep | undefined
}
