import type { ReactNode } from 'react'
import { Delayed, Skeleton } from '../ui/skeleton.tsx'
import { FailureState } from './failure-state.tsx'

interface Query<Data> {
  data: Data | undefined
  error: unknown
  isPending: boolean
  refetch: () => unknown
}

interface QueryStateProps<Data> {
  query: Query<Data>
  skeleton?: ReactNode
  /** "The tickets could not be loaded" */
  failedTitle?: string
  heading?: 'h1' | 'h2' | 'p'
  children: (data: Data) => ReactNode
}

/** Loaded data; its skeleton before; after a failure the reason, and what to do. Data stays if reloading fails. */
export function QueryState<Data>({ query, skeleton, failedTitle, heading, children }: QueryStateProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error)
    return (
      <FailureState
        error={query.error}
        onRetry={() => void query.refetch()}
        {...(failedTitle && { title: failedTitle })}
        {...(heading && { heading })}
      />
    )
  return (
    <div aria-busy="true">
      <Delayed>{skeleton ?? <Skeleton lines={4} />}</Delayed>
    </div>
  )
}
