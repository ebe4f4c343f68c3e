import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { addFollower, whyNotFollower } from './change-followers.ts'
import styles from './followers.module.css'
import type { Ticket } from './thread-types.ts'

/** Adds a follower by address. The service is the only judge, and what it says stands at the address. */
export function FollowerForm({ ticket, onClose }: { ticket: Ticket; onClose(): void }) {
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  useEffect(focus, [])

  function focus() {
    form.current?.querySelector('input')?.focus()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await addFollower(ticket, email.trim(), name.trim())
      onClose()
    } catch (error) {
      setError(whyNotFollower(error))
      setBusy(false)
      focus()
    }
  }

  function leave(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    // The details themselves would close as well.
    event.stopPropagation()
    onClose()
  }

  return (
    <form ref={form} className={styles.form} noValidate onSubmit={event => void submit(event)} onKeyDown={leave}>
      <TextField
        label={t('thread.followerEmail')}
        type="email"
        autoComplete="off"
        maxLength={255}
        value={email}
        onChange={setEmail}
        error={error}
      />
      <TextField
        label={t('thread.followerName')}
        optional
        autoComplete="off"
        maxLength={200}
        value={name}
        onChange={setName}
      />
      <div className={styles.buttons}>
        <Button type="submit" size="sm" variant="primary" busy={isBusy}>
          {t('thread.addFollowerNow')}
        </Button>
        <Button size="sm" variant="quiet" onClick={onClose}>
          {t('thread.addFollowerNot')}
        </Button>
      </div>
    </form>
  )
}
