import { lazy, Suspense } from 'react'
import { loadStrings } from '../../lib/strings.ts'

const NotFoundPage = lazy(async () => {
  const [{ NotFoundPage }] = await Promise.all([import('../not-found-page.tsx'), loadStrings('portal')])
  return { default: NotFoundPage }
})

/** Addresses that no page has are rare: what is said of them is loaded when it is needed. */
export function NotFound() {
  return (
    <Suspense>
      <NotFoundPage />
    </Suspense>
  )
}
