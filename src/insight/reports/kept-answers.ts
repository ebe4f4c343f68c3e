/** Sums that reports were answered with, by the desk, and by what was asked. */
const kept = new WeakMap<object, Map<string, Kept>>()
const most = 100

interface Kept {
  version: number
  sums: unknown
}

/**
 * What `work` returns, or what it returned for the same question when the facts and days had this version: each change of them raises it, so that
 * what is kept is never old. The ones asked for least lately are forgotten.
 */
export async function keptOr<T>(
  desk: object,
  { version, question }: { version: number; question: string },
  work: () => Promise<T>
): Promise<T> {
  const ofDesk = kept.get(desk) ?? new Map<string, Kept>()
  kept.set(desk, ofDesk)
  const found = ofDesk.get(question)
  const sums = found?.version === version ? (found.sums as T) : await work()
  ofDesk.delete(question)
  ofDesk.set(question, { version, sums })
  if (ofDesk.size > most) ofDesk.delete(ofDesk.keys().next().value!)
  return sums
}
