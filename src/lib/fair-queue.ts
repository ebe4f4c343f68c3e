/** In whose turn work is done: the lanes take turns, and within a lane its groups do. */
export interface Turn {
  lane: string
  group: string
}

/** Runs a bounded number of works at a time; the others wait for their turn. */
export interface FairQueue {
  run<T>(turn: Turn, work: () => Promise<T>): Promise<T>
}

interface FairQueueOptions {
  atOnce: number
  /** How many of one group may wait. */
  longestGroup: number
  /** How many of one lane may wait. Whoever comes last of the group with the most gives way to groups with fewer. */
  longestLane: number
  /** The error of whoever is refused. */
  refusal(): Error
}

interface Waiting {
  start(): void
  refuse(error: Error): void
}

/** However many wait in one group, another group waits for one work of each group, and another lane for one work of each lane. */
export function makeFairQueue({ atOnce, longestGroup, longestLane, refusal }: FairQueueOptions): FairQueue {
  // Maps keep the order in which keys were set, so the first one is the one whose turn is next.
  const lanes = new Map<string, Map<string, Waiting[]>>()
  let running = 0

  async function start<T>(work: () => Promise<T>): Promise<T> {
    running++
    try {
      return await work()
    } finally {
      running--
      next()
    }
  }

  function next(): void {
    for (const [lane, groups] of lanes) {
      const [group, waiting] = groups.entries().next().value!
      const first = waiting.shift()!
      groups.delete(group)
      if (waiting.length > 0) groups.set(group, waiting)
      lanes.delete(lane)
      if (groups.size > 0) lanes.set(lane, groups)
      first.start()
      return
    }
  }

  function enter({ lane, group }: Turn, waiting: Waiting): void {
    const groups = lanes.get(lane) ?? new Map<string, Waiting[]>()
    const own = groups.get(group) ?? []
    if (own.length >= longestGroup) throw refusal()
    if (lengthOf(groups) >= longestLane) {
      const longest = [...groups].reduce((one, other) => (other[1].length > one[1].length ? other : one))
      if (longest[1].length <= own.length + 1) throw refusal()
      longest[1].pop()!.refuse(refusal())
    }
    groups.set(group, own)
    own.push(waiting)
    lanes.set(lane, groups)
  }

  return {
    async run(turn, work) {
      if (running < atOnce) return await start(work)
      return await new Promise((resolve, reject) => {
        enter(turn, { start: () => start(work).then(resolve, reject), refuse: reject })
      })
    }
  }
}

function lengthOf(groups: ReadonlyMap<string, readonly unknown[]>): number {
  return [...groups.values()].reduce((total, { length }) => total + length, 0)
}
