import { readdir, readFile } from 'node:fs/promises'

// What the kernel counts in, on every Linux.
const ticksPerSecond = 100

/** The CPU seconds that these processes have used; those that have ended count nothing. */
export async function cpuSeconds(pids: readonly number[]): Promise<number> {
  const seconds = await Promise.all(pids.map(cpuSecondsOf))
  return seconds.reduce((sum, each) => sum + each, 0)
}

async function cpuSecondsOf(pid: number): Promise<number> {
  const fields = await statOf(pid)
  return fields ? (Number(fields[11]) + Number(fields[12])) / ticksPerSecond : 0
}

/** The fields of /proc/<pid>/stat behind the name, the first of them the state. */
async function statOf(pid: number): Promise<string[] | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** This process and all below it. */
export async function withChildren(pid: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const fields = await statOf(Number(name))
    if (fields) parents.set(Number(name), Number(fields[1]))
  }
  const family = [pid]
  for (const member of family) {
    for (const [child, parent] of parents) if (parent === member) family.push(child)
  }
  return family
}

/** Memory in MB: what is resident, and the share of it where several processes use the same. */
export async function memoryOf(pids: readonly number[]): Promise<{ rss: number; pss: number }> {
  let [rss, pss] = [0, 0]
  for (const pid of pids) {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
    rss += Number(/^Rss: +(\d+)/m.exec(text)?.[1] ?? 0) / 1024
    pss += Number(/^Pss: +(\d+)/m.exec(text)?.[1] ?? 0) / 1024
  }
  return { rss, pss }
}
