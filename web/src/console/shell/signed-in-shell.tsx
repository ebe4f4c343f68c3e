import { Outlet } from '../../router/react.tsx'
import { Overlays } from '../palette/overlays.tsx'
import { Shell } from './shell.tsx'

/** What is around the pages of those who are signed in. Loaded apart: whoever signs in needs none of it before. */
export function SignedInShell() {
  return (
    <Shell>
      <Outlet />
      <Overlays />
    </Shell>
  )
}
