import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { listSurveys } from './endpoints/admin-csat-list.ts'
import { rateByLink } from './endpoints/csat-rate.ts'
import { showSurvey } from './endpoints/csat-show.ts'
import { rateTicket } from './endpoints/tickets-rate.ts'
import { showRating } from './endpoints/tickets-rating.ts'

export const csatEndpoints: readonly AnyEndpoint[] = [listSurveys, showSurvey, rateByLink, rateTicket, showRating]
