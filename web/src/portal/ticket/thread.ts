import type { DataOf } from '@deskline/client'

/** A ticket with its messages, as its customer sees it. */
export type Thread = DataOf<'/api/tickets/detail'>
