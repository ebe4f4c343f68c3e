/** Whose files a store holds, in its own eyes. */
export interface FileOwner {
  /** Stands on every file, or on the folder that holds them. */
  id: string
  /** Files under these ids are ours too. */
  formerIds: readonly string[]
  /** The database is a copy of these, which may be at work on the same files: what bears no id may be theirs. */
  copiedFrom: readonly string[]
}

/** What a sweep did, or why it did nothing. */
export interface Sweep {
  /**
   * Why nothing was taken away: the files belong to another installation, or the database knows the fewer of them, as an empty
   * database or one of an older moment does.
   */
  held?: 'another installation' | 'mostly unknown'
  /** The id of the other installation. */
  otherId?: string
  /** Files that were looked at, and how many of them no row names although they are old enough to have one. */
  files: number
  unknown: number
  /** Files of other installations, where those share the store. */
  foreign: number
  /** Unfinished files that were removed. */
  unfinished: number
  /** Files that were put into the quarantine, that came back from it, and that were removed from it for good. */
  quarantined: number
  returned: number
  removed: number
}

export interface SweepOptions {
  /** Younger files may belong to a request that is still at work: it must exceed the longest one. */
  olderThanMilliseconds: number
  /** How long a file stays in the quarantine. */
  quarantineMilliseconds: number
  /** Goes on even where most files are unknown: somebody has looked, and says so. */
  evenMostlyUnknown?: boolean
  /** Only counts, whoever the files belong to. */
  lookOnly?: boolean
  signal?: AbortSignal | undefined
}

/** Asked in batches of paths, answers those that a row names. */
export type IsKnown = (paths: string[]) => Promise<Set<string>>

/** What lies in the quarantine. */
export interface Quarantine {
  files: number
  bytes: number
  oldest: Date | undefined
}

/** The parts of a store that a sweep works on. All that take a path answer whether there was something to do. */
export interface Sweepable {
  /** The id of the installation that all files belong to, where the store has one for all of them. */
  otherId(): Promise<string | undefined>
  /** Whether the store is known to be ours. One that is, is marked as such. */
  isClaimed(): Promise<boolean>
  claim(): Promise<void>
  /** Batches of kept files; where it costs nothing only those from before that moment. */
  kept(before: Date): AsyncGenerator<string[]>
  /** Whether the file is ours; asked only of those that no row names. */
  isOurs(path: string): Promise<boolean>
  isOlder(path: string, before: Date): Promise<boolean>
  quarantine(path: string): Promise<boolean>
  quarantined(): AsyncGenerator<{ path: string; since: Date; sizeBytes: number }[]>
  bringBack(path: string): Promise<boolean>
  /** For good, from the quarantine. */
  remove(path: string): Promise<boolean>
  /** Removes what was begun before that moment and never finished. */
  removeUnfinished(before: Date): Promise<number>
}

/** More are left to the next sweep: their paths are in memory. */
const unknownAtMost = 100_000

/**
 * Puts old files that no row names into the quarantine, brings those back that a row names again, and removes those for good that
 * have been there long enough. Does nothing in a store that belongs to another installation, and takes nothing away where most files
 * are unknown. Each step is one that can be cut short and done again, also by several at once.
 */
export async function sweepFiles(store: Sweepable, isKnown: IsKnown, options: SweepOptions): Promise<Sweep> {
  const { signal, lookOnly } = options
  const sweep: Sweep = { files: 0, unknown: 0, foreign: 0, unfinished: 0, quarantined: 0, returned: 0, removed: 0 }
  const otherId = await store.otherId()
  if (otherId && !lookOnly) return { ...sweep, held: 'another installation', otherId }

  const before = new Date(Date.now() - options.olderThanMilliseconds)
  const unknown: string[] = []
  for await (const paths of store.kept(before)) {
    signal?.throwIfAborted()
    const known = await isKnown(paths)
    sweep.files += paths.length
    for (const path of paths.filter(path => !known.has(path))) {
      if (!(await store.isOlder(path, before))) continue
      if (!(await store.isOurs(path))) {
        sweep.foreign++
        continue
      }
      sweep.unknown++
      if (unknown.length < unknownAtMost) unknown.push(path)
    }
  }
  sweep.files -= sweep.foreign
  if (lookOnly) return sweep

  const isMostlyUnknown = sweep.unknown * 2 > sweep.files && !options.evenMostlyUnknown
  if (isMostlyUnknown) sweep.held = 'mostly unknown'
  if (isMostlyUnknown && !(await store.isClaimed())) return sweep
  await store.claim()
  await tidyQuarantine(store, isKnown, sweep, options)
  if (isMostlyUnknown) return sweep

  sweep.unfinished = await store.removeUnfinished(before)
  for (const path of unknown) {
    signal?.throwIfAborted()
    if (await store.quarantine(path)) sweep.quarantined++
  }
  return sweep
}

/** What is named again comes back in any case; where most files are unknown, nothing is removed. */
async function tidyQuarantine(
  store: Sweepable,
  isKnown: IsKnown,
  sweep: Sweep,
  { quarantineMilliseconds, signal }: SweepOptions
): Promise<void> {
  const before = Date.now() - quarantineMilliseconds
  for await (const files of store.quarantined()) {
    signal?.throwIfAborted()
    const known = await isKnown(files.map(({ path }) => path))
    for (const { path, since } of files) {
      if (known.has(path)) sweep.returned += (await store.bringBack(path)) ? 1 : 0
      else if (!sweep.held && since.getTime() <= before) sweep.removed += (await store.remove(path)) ? 1 : 0
    }
  }
}

/** How much lies in the quarantine, and since when. */
export async function sizeOfQuarantine(store: Pick<Sweepable, 'quarantined'>): Promise<Quarantine> {
  const size: Quarantine = { files: 0, bytes: 0, oldest: undefined }
  for await (const files of store.quarantined()) {
    for (const { since, sizeBytes } of files) {
      size.files++
      size.bytes += sizeBytes
      if (!size.oldest || since < size.oldest) size.oldest = since
    }
  }
  return size
}
