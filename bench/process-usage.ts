import { readdir, readFile } from 'node:fs/promises'

// The unit of CPU times in /proc, the same on every Linux.
const ticksPerSecond = 100

/** The CPU seconds that these processes have used; processes that have ended count as zero. */
export async function cpuSeconds(pids: readonly number[]): Promise<number> {
  const seconds = await Promise.all(pids.map(cpuSecondsOf))
  return seconds.reduce((sum, each) => sum + each, 0)
}

async function cpuSecondsOf(pid: number): Promise<number> {
  const fields = await statOf(pid)
  return fields ? (Number(fields[11]) + Number(fields[12])) / ticksPerSecond : 0
}

/** The fields of /proc/<pid>/stat after the name; the first of them is the state. */
async function statOf(pid: number): Promise<string[] | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** This process and all its descendants. */
export async function processTree(pid: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const fields = await statOf(Number(name))
    if (fields) parents.set(Number(name), Number(fields[1]))
  }
  const tree = [pid]
  for (const member of tree) {
    for (const [child, parent] of parents) if (parent === member) tree.push(child)
  }
  return tree
}

/** Memory in MB: the resident set size, and the proportional set size, in which shared memory is divided among its processes. */
export async function memoryOf(pids: readonly number[]): Promise<{ rss: number; pss: number }> {
  let [rss, pss] = [0, 0]
  for (const pid of pids) {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
    rss += Number(/^Rss: +(\d+)/m.exec(text)?.[1] ?? 0) / 1024
    pss += Number(/^Pss: +(\d+)/m.exec(text)?.[1] ?? 0) / 1024
  }
  return { rss, pss }
}
