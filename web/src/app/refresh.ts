import type { PostPath } from '@deskline/client'
import { queries } from './desk.ts'

/** Reloads the queries of these paths that are shown now. */
export async function refresh(...paths: PostPath[]): Promise<void> {
  await Promise.all(paths.map(path => queries.invalidateQueries({ queryKey: [path] })))
}
