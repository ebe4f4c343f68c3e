import type { BodyOf, DataOf, PostPath } from '@deskline/client'
import { useQueries } from '@tanstack/react-query'
import { apiQuery } from './api-queries.ts'

// A file of its own: few pages need it, and no page of the portal.

/** The responses of an address to several bodies; undefined where there is no response yet. */
export function useEachApiQuery<P extends PostPath>(path: P, bodies: BodyOf<P>[]): (DataOf<P> | undefined)[] {
  const found = useQueries({ queries: bodies.map(body => apiQuery(path, body)) })
  return found.map(({ data }) => data as DataOf<P> | undefined)
}
