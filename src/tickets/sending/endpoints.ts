import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { sendDeskReply } from './endpoints/admin-tickets-reply-send.ts'
import { undoDeskReply } from './endpoints/admin-tickets-reply-undo.ts'
import { listWaitingReplies } from './endpoints/admin-tickets-reply-waiting.ts'

export const sendingEndpoints: readonly AnyEndpoint[] = [undoDeskReply, sendDeskReply, listWaitingReplies]
