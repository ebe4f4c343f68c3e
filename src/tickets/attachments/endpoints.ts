import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { linkAttachment } from './endpoints/tickets-attachment-link.ts'

export const attachmentsEndpoints: readonly AnyEndpoint[] = [linkAttachment]
