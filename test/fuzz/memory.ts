import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

const megabyte = 1024 * 1024
/** Warming up: code is compiled, pools and caches fill. */
const warmUpShare = 0.3
const mayGrowMegabytes = { heap: 12, resident: 60 }

/** Measures this process after the garbage is out, and judges in the end whether it grew. */
export interface MemoryWatch {
  measure(): Promise<void>
  /** Throws when the last third of the measurements lies above the first after the warm-up; answers the figures. */
  verdict(): string
}

export function watchMemory(): MemoryWatch {
  const { gc } = globalThis
  assert.ok(gc, 'Start with --expose-gc')
  const heap: number[] = []
  const resident: number[] = []
  return {
    async measure() {
      // What a first collection lets go of is finalised before the second.
      for (let collection = 0; collection < 3; collection++) {
        gc()
        await pause(20)
      }
      const used = process.memoryUsage()
      heap.push(used.heapUsed / megabyte)
      resident.push(used.rss / megabyte)
    },
    verdict() {
      const figures = Object.entries({ heap, resident }).map(([name, series]) => {
        const warm = series.slice(Math.floor(series.length * warmUpShare))
        const third = Math.max(1, Math.floor(warm.length / 3))
        const [before, after] = [median(warm.slice(0, third)), median(warm.slice(-third))]
        const limit = mayGrowMegabytes[name as keyof typeof mayGrowMegabytes]
        const shown = series.map(Math.round).join(' ')
        assert.ok(after - before < limit, `${name} grew by ${(after - before).toFixed(1)} MB: ${shown}`)
        return `${name} ${before.toFixed(1)} → ${after.toFixed(1)} MB`
      })
      return figures.join(', ')
    }
  }
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!
}
