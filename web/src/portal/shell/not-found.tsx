import { Suspense } from 'react'
import { lazyPart } from '../../app/lazy-part.ts'
import { loadStrings } from '../../lib/strings.ts'

const NotFoundPage = lazyPart(async () => {
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
