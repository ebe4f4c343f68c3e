import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { openDeskTicket } from './endpoints/admin-tickets-create.ts'
import { showDeskTicket } from './endpoints/admin-tickets-detail.ts'
import { noteDeskTicket } from './endpoints/admin-tickets-note.ts'
import { readDeskTicket } from './endpoints/admin-tickets-read.ts'
import { answerDeskTicket } from './endpoints/admin-tickets-reply.ts'
import { dismissUndeliveredAnswers } from './endpoints/admin-tickets-undelivered-dismiss.ts'
import { createTicket } from './endpoints/tickets-create.ts'
import { showTicket } from './endpoints/tickets-detail.ts'
import { replyTicket } from './endpoints/tickets-reply.ts'

export const threadsEndpoints: readonly AnyEndpoint[] = [
  createTicket,
  showTicket,
  replyTicket,
  showDeskTicket,
  openDeskTicket,
  answerDeskTicket,
  noteDeskTicket,
  readDeskTicket,
  dismissUndeliveredAnswers
]
