import type { PostPath } from '@deskline/client'
import { queries } from './desk.ts'

/** What was read of these addresses is read again, where it is shown now. */
export async function refresh(...paths: PostPath[]): Promise<void> {
  await Promise.all(paths.map(path => queries.invalidateQueries({ queryKey: [path] })))
}
