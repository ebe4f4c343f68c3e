import { type FormEvent, useState } from 'react'
import { failureText } from '../../app/failures.ts'
import { useForm } from '../../app/form.ts'
import { useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { comingTimeInText } from '../../lib/times.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { endOfAway } from '../away.ts'
import styles from './account.module.css'
import { comeBack, setAway } from './set-away.ts'

/** Until when this person is away, by the clock of this browser; while they are, the way back. */
export function AwayForm() {
  const { profile } = useMe()
  const end = endOfAway('away_until' in profile ? profile.away_until : null)
  const [tomorrow] = useState(() => dayAfter(new Date()))
  const form = useForm(
    { date: tomorrow, time: '09:00' },
    {
      check: ({ date, time }) => ({ date: !isComing(date, time) && t('account.awayIsOver') }),
      failureText
    }
  )

  async function save(event: FormEvent) {
    await form.submit(async ({ date, time }) => await setAway(new Date(`${date}T${time}`).toISOString()), event)
  }

  if (end) {
    return (
      <div className={styles.form}>
        <p>{t('console.youAreAway', { time: comingTimeInText(end) })}</p>
        <div className="row-x wrap">
          <Button onClick={() => void comeBack()}>{t('console.iAmBack')}</Button>
        </div>
      </div>
    )
  }
  return (
    <form onSubmit={save} className={styles.form} noValidate>
      <div className={styles.two}>
        <TextField label={t('account.awayDate')} type="date" {...form.field('date')} />
        <TextField label={t('account.awayTime')} type="time" {...form.field('time')} />
      </div>
      {form.failure && <Banner tone="bad">{form.failure}</Banner>}
      <div className="row-x wrap">
        <Button type="submit" busy={form.isBusy} busyLabel={t('account.saving')}>
          {t('account.setAway')}
        </Button>
      </div>
    </form>
  )
}

function isComing(date: string, time: string): boolean {
  return new Date(`${date}T${time}`).getTime() > Date.now()
}

/** As a date field has it, in the zone of the viewer. */
function dayAfter(now: Date): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)
  const digits = (value: number) => String(value).padStart(2, '0')
  return `${day.getFullYear()}-${digits(day.getMonth() + 1)}-${digits(day.getDate())}`
}
