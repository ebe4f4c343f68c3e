/** The owner of the files in a store. */
export interface FileOwner {
  /** Its id, stored with every file, or with their folder. */
  id: string
  /** Files with these ids are ours too. */
  formerIds: readonly string[]
  /** The database is a copy of these installations, which may still use the same files: files without an id may be theirs. */
  copiedFrom: readonly string[]
}

/** The result of a sweep, or why it did nothing. */
export interface Sweep {
  /**
   * Why nothing was removed: the files belong to another installation, or the database knows less than half of them, as an empty or outdated
   * database does.
   */
  held?: 'another installation' | 'mostly unknown'
  /** The id of the other installation. */
  otherId?: string
  /** Files that were checked, and how many of them are old enough but named by no row. */
  files: number
  unknown: number
  /** Files of other installations, if they share the store. */
  foreign: number
  /** Unfinished files that were removed. */
  unfinished: number
  /** Files moved into quarantine, moved back, and removed for good. */
  quarantined: number
  returned: number
  removed: number
}

export interface SweepOptions {
  /** Younger files may belong to a running request: this must exceed the longest one. */
  olderThanMilliseconds: number
  /** How long a file stays in the quarantine. */
  quarantineMilliseconds: number
  /** Continues even if most files are unknown: an operator has checked, and says so. */
  evenMostlyUnknown?: boolean
  /** Only counts, whatever the owner. */
  lookOnly?: boolean
  signal?: AbortSignal | undefined
}

/** Called with batches of paths; returns those that a row names. */
export type IsKnown = (paths: string[]) => Promise<Set<string>>

/** The content of the quarantine. */
export interface Quarantine {
  files: number
  bytes: number
  oldest: Date | undefined
}

/** The operations of a store that a sweep uses. `quarantine`, `bringBack` and `remove` return whether there was something to do. */
export interface Sweepable {
  /** The id of the installation that owns all files, if the store has one for all of them. */
  otherId(): Promise<string | undefined>
  /** Whether the store is known to be ours. */
  isClaimed(): Promise<boolean>
  claim(): Promise<void>
  /** Batches of kept files; if that is free, only those older than `before`. */
  kept(before: Date): AsyncGenerator<string[]>
  /** Whether the file is ours; called only for files that no row names. */
  isOurs(path: string): Promise<boolean>
  isOlder(path: string, before: Date): Promise<boolean>
  quarantine(path: string): Promise<boolean>
  quarantined(): AsyncGenerator<{ path: string; since: Date; sizeBytes: number }[]>
  bringBack(path: string): Promise<boolean>
  /** Removes a file from quarantine for good. */
  remove(path: string): Promise<boolean>
  /** Removes unfinished files older than `before`. */
  removeUnfinished(before: Date): Promise<number>
}

/** The most unknown paths in memory; the rest waits for the next sweep. */
const unknownAtMost = 100_000

/**
 * Moves old files that no row names into quarantine, moves those back that a row names again, and removes those that were there long enough.
 * Does nothing in a store of another installation, and removes nothing if most files are unknown. Each step can be interrupted and repeated,
 * also concurrently.
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

/** Files that a row names again are always moved back; if most files are unknown, nothing is removed. */
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

/** How much is in quarantine, and since when. */
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
