import type { ComponentProps } from 'react'
import { StateMessage } from '../ui/state-message.tsx'
import { PortalPage } from './portal-page.tsx'

/** A page that only says how things are, with one way on. */
export function StatePage(props: ComponentProps<typeof StateMessage> & { title: string }) {
  return (
    <PortalPage title={props.title} isHeadless>
      <StateMessage heading="h1" {...props} />
    </PortalPage>
  )
}
