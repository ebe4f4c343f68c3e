import { Type } from 'typebox'
import { Id, Nullable, OneOf } from '../../../kit/schemas.ts'
import { ratings, voidedReasons } from '../../tables/csat.ts'
import { facts, type KindOfEvent, Yes } from './kind-of-event.ts'

const survey = { survey_id: Id(9) }

/** Of the satisfaction of clients. What they write beside a rating is in no event. */
export const csatEvents = {
  'csat.sent': { readers: 'staff', audited: 'never', after: facts(survey) },
  // After each closing either the client is asked, or it is told why not.
  'csat.voided': {
    readers: 'staff',
    audited: 'never',
    after: facts({ ...survey, reason: OneOf(voidedReasons, 'recent') })
  },
  'csat.rated': {
    readers: 'staff',
    audited: 'always',
    before: facts({ rating: Nullable(OneOf(ratings, 'bad')) }),
    after: facts({ ...survey, rating: OneOf(ratings), has_comment: Type.Optional(Yes()) })
  }
} as const satisfies Record<string, KindOfEvent>
