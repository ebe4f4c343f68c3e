import type { PostPath } from '@deskline/client'
import { queryClient } from './api-client.ts'

/** Reloads the queries of these paths that are shown now. */
export async function reloadQueries(...paths: PostPath[]): Promise<void> {
  await Promise.all(paths.map(path => queryClient.invalidateQueries({ queryKey: [path] })))
}
