import { Delayed, Skeleton } from '../../ui/skeleton.tsx'

/** Stands for the first page until that is loaded. */
export function LoadingPage() {
  return (
    <div aria-busy="true">
      <Delayed>
        <Skeleton rows={4} />
      </Delayed>
    </div>
  )
}
