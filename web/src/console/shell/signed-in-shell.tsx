import { Outlet } from '../../router/react.tsx'
import { Overlays } from '../palette/overlays.tsx'
import { Shell } from './shell.tsx'

/** The frame of the pages behind the sign-in. */
export function SignedInShell() {
  return (
    <Shell>
      <Outlet />
      <Overlays />
    </Shell>
  )
}
