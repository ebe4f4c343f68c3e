import { useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { failureText } from '../../app/failures.ts'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Radio } from '../../ui/form-controls.tsx'
import styles from './merge-dialog.module.css'
import type { Ticket } from './thread-types.ts'
import { mergeInto } from './use-thread-actions.ts'

interface MergeDialogProps {
  ticket: Ticket
  onClose(): void
  /** The number of the ticket that stays. */
  onMerged(number: string): void
}

/** Chooses the ticket of the same client that this one is merged into. Both threads are kept, and the merge can be undone. */
export function MergeDialog({ ticket, onClose, onMerged }: MergeDialogProps) {
  const [chosen, setChosen] = useState<string>()
  const [typed, setTyped] = useState('')
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const asked = useApiQuery('/api/admin/tickets/list', { client_id: ticket.client.id, limit: 20 })
  const others = asked.data?.tickets.filter(({ id }) => id !== ticket.id) ?? []
  const number = typed.trim() === '' ? chosen : numberOf(typed)

  async function merge() {
    if (!number) return
    setState({ isBusy: true })
    try {
      const target = await mergeInto(ticket, number)
      onClose()
      onMerged(target)
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }

  return (
    <Dialog
      title={t('thread.mergeTitle', { number: ticket.ticket_number })}
      open
      onClose={onClose}
      size={620}
      footer={
        <>
          <Button onClick={onClose}>{t('thread.keepApart')}</Button>
          <Button variant="primary" disabled={!number} busy={state.isBusy} onClick={() => void merge()}>
            {number ? t('thread.mergeInto', { target: number }) : t('thread.merge')}
          </Button>
        </>
      }
    >
      <p className={styles.lede}>{t('thread.mergeLede', { name: ticket.client.first_name })}</p>
      {others.length > 0 && (
        <fieldset className={styles.others}>
          <legend>{t('thread.otherTickets')}</legend>
          {others.map(other => (
            <Radio
              key={other.id}
              name="merge-into"
              label={
                <>
                  <span className={styles.number}>{other.ticket_number}</span> <bdi>{other.subject}</bdi>
                </>
              }
              checked={number === other.ticket_number}
              onChange={() => {
                setChosen(other.ticket_number)
                setTyped('')
              }}
            />
          ))}
        </fieldset>
      )}
      <TextField
        label={t('thread.numberField')}
        value={typed}
        placeholder="TIC-…"
        autoComplete="off"
        onChange={setTyped}
      />
      {number && (
        <p className={styles.result}>{t('thread.mergeResult', { number: ticket.ticket_number, target: number })}</p>
      )}
      {state.error !== undefined && <Banner tone="bad">{failureText(state.error)}</Banner>}
    </Dialog>
  )
}

/** A ticket number as typed: in lower case, or only its digits. */
function numberOf(typed: string): string | undefined {
  const [, digits] = /^(?:tic-?)?\s*(\d{6,18})$/i.exec(typed.trim()) ?? []
  return digits && `TIC-${digits}`
}
