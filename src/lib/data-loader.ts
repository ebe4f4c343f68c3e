/**
 * Loads values by key in batches, like a DataLoader without its cache: keys that are asked for in the same turn of the event loop are loaded by one
 * call. A key without a value gives undefined; if the call fails, all that asked in that turn fail. Nothing is kept for the next turn.
 */
export function dataLoader<K, V>(
  load: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>
): (key: K) => Promise<V | undefined> {
  let batch: { keys: Set<K>; values: Promise<ReadonlyMap<K, V>> } | undefined

  function open(): NonNullable<typeof batch> {
    const keys = new Set<K>()
    const values = new Promise<void>(resolve => setImmediate(resolve)).then(() => {
      batch = undefined
      return load([...keys])
    })
    return { keys, values }
  }

  return async key => {
    batch ??= open()
    const { keys, values } = batch
    keys.add(key)
    return (await values).get(key)
  }
}
