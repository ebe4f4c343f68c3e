import type { BodyOf } from '@deskline/client'

type Body = BodyOf<'/api/admin/tickets/snooze'>

/** Until when, for whom it waits and why. */
export type SnoozeChoice = Pick<Body, 'until' | 'until_next_open' | 'until_reply' | 'kind' | 'reason'>
export type SnoozeKind = NonNullable<Body['kind']>
