import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { useForm } from '../../app/form.ts'
import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { addFollower, whyNotFollower } from './change-followers.ts'
import styles from './followers.module.css'
import type { Ticket } from './thread-types.ts'

/** Adds a follower by address. The service is the only judge, and what it says stands at the address. */
export function FollowerForm({ ticket, onClose }: { ticket: Ticket; onClose(): void }) {
  const element = useRef<HTMLFormElement>(null)
  const form = useForm({ email: '', name: '' })
  useEffect(() => element.current?.querySelector('input')?.focus(), [])

  async function submit(event: FormEvent) {
    const isAdded = await form.submit(({ email, name }) => addFollower(ticket, email.trim(), name.trim()), event)
    if (isAdded) onClose()
  }

  function leave(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    // The details themselves would close as well.
    event.stopPropagation()
    onClose()
  }

  return (
    <form ref={element} className={styles.form} noValidate onSubmit={event => void submit(event)} onKeyDown={leave}>
      <TextField
        label={t('thread.followerEmail')}
        type="email"
        autoComplete="off"
        maxLength={255}
        {...form.field('email')}
        error={form.cause !== undefined && whyNotFollower(form.cause)}
      />
      <TextField label={t('thread.followerName')} optional autoComplete="off" maxLength={200} {...form.field('name')} />
      <div className={styles.buttons}>
        <Button type="submit" size="sm" variant="primary" busy={form.isBusy}>
          {t('thread.addFollowerNow')}
        </Button>
        <Button size="sm" variant="quiet" onClick={onClose}>
          {t('thread.addFollowerNot')}
        </Button>
      </div>
    </form>
  )
}
