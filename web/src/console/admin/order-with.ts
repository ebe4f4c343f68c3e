/** The same ids with one of them at another place, within the list. */
export function orderWith(ids: readonly number[], id: number, to: number): number[] {
  const others = ids.filter(other => other !== id)
  return others.toSpliced(Math.max(0, Math.min(to, others.length)), 0, id)
}
