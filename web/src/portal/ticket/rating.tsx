import type { DataOf } from '@deskline/client'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { failureText } from '../../app/failures.ts'
import { useApiMutation } from '../../app/use-api-mutation.ts'
import { loadStrings, t } from '../../lib/strings.ts'
import { dateOf, instantOf } from '../../lib/times.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import styles from './rating.module.css'

await loadStrings('portal-rating')

const path = '/api/tickets/rating'
type Survey = NonNullable<DataOf<typeof path>['survey']>
type Rating = NonNullable<Survey['rating']>

const choices = [
  { rating: 'good', icon: ThumbsUp },
  { rating: 'bad', icon: ThumbsDown }
] as const

/** The question in a closed ticket: nothing is chosen beforehand, and only the button votes. */
export function RatingCard({ id }: { id: number }) {
  const { data } = useApiQuery(path, { id })
  if (!data?.survey) return null
  return <Question id={id} survey={data.survey} />
}

function Question({ id, survey }: { id: number; survey: Survey }) {
  const heading = useId()
  const first = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<Rating | null>(survey.rating)
  const [comment, setComment] = useState(survey.comment ?? '')
  const [isMissing, setMissing] = useState(false)
  const rating = useApiMutation('/api/tickets/rate', { changes: [path] })
  const until = survey.can_change_until && instantOf(survey.can_change_until)
  const isFixed = until !== null && until !== '' && until.getTime() < Date.now()

  function send() {
    setMissing(chosen === null)
    if (chosen === null) return first.current?.focus()
    rating.mutate({ id, rating: chosen, comment: comment.trim() || null })
  }

  return (
    <section className={`card ${styles.rating}`} aria-labelledby={heading}>
      <h2 id={heading}>{t('portal-rating.title')}</h2>
      {until && (
        <Banner tone="good">
          {isFixed ? t('portal-rating.kept') : t('portal-rating.thanks', { day: dateOf(until) })}
        </Banner>
      )}
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault()
          send()
        }}
      >
        <fieldset className={styles.choices} disabled={isFixed} aria-labelledby={heading}>
          {choices.map(({ rating, icon: Icon }, at) => (
            <label key={rating} className={styles.choice}>
              <input
                ref={at === 0 ? first : undefined}
                type="radio"
                name="rating"
                checked={chosen === rating}
                onChange={() => setChosen(rating)}
              />
              <Icon size={20} aria-hidden />
              {t(`portal-rating.${rating}`)}
            </label>
          ))}
        </fieldset>
        {isMissing && chosen === null && (
          <p className={styles.missing} role="alert">
            {t('portal-rating.chooseOne')}
          </p>
        )}
        {!isFixed && (
          <>
            <TextArea
              label={t('portal-rating.more')}
              hint={t('portal-rating.who')}
              optional
              rows={3}
              maxLength={2_000}
              value={comment}
              onChange={setComment}
            />
            {rating.error && <Banner tone="bad">{failureText(rating.error)}</Banner>}
            <Button variant="primary" type="submit" busy={rating.isPending}>
              {t(survey.rating ? 'portal-rating.change' : 'portal-rating.send')}
            </Button>
            {!survey.rating && <p className={styles.note}>{t('portal-rating.nothingYet')}</p>}
          </>
        )}
      </form>
    </section>
  )
}
