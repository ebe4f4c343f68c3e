import { useEffect, useRef, useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { failureText } from '../../app/failures.ts'
import { can } from '../../app/me.ts'
import { useDebounced } from '../../app/use-debounced.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Picker } from '../../ui/picker.tsx'
import { splitOff } from './change-links.ts'
import styles from './split.module.css'
import type { Detail } from './thread-types.ts'
import type { TimelineData } from './timeline.ts'
import type { Choosing } from './use-split.ts'

interface SplitPanelProps {
  detail: Detail
  thread: TimelineData
  choosing: Choosing
  onLeave(): void
  onDone(): void
}

type OtherClient = { id: number; first_name: string; last_name: string }

/** In the place of the composer: what the chosen messages become. */
export function SplitPanel({ detail, thread, choosing, onLeave, onDone }: SplitPanelProps) {
  const { ticket } = detail
  const panel = useRef<HTMLFormElement>(null)
  const messages = thread.messages.filter(({ id }) => choosing.messages.has(id))
  const files = messages.reduce((count, { attachments }) => count + attachments.length, 0)
  const [typed, setTyped] = useState<string>()
  const [deptid, setDeptid] = useState(ticket.department.deptid)
  const [other, setOther] = useState<OtherClient>()
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const departments = useApiQuery('/api/departments', {}, { staleTime: 300_000 })
  const subject = typed ?? firstLine(messages[0]?.message ?? '')
  const reason = !messages.some(({ sender_type }) => sender_type === 'customer')
    ? t('links.needsClientMessage')
    : subject.trim() === ''
      ? t('links.needsSubject')
      : undefined

  useEffect(() => panel.current?.querySelector('input')?.select(), [])

  async function split() {
    if (reason || state.isBusy) return
    setState({ isBusy: true })
    try {
      await splitOff(ticket, {
        message_ids: [...choosing.messages],
        note_ids: [...choosing.notes],
        subject: subject.trim(),
        department_id: deptid,
        ...(other && { client_id: other.id })
      })
      onDone()
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }

  const known = departments.data?.departments ?? []
  const options = known.some(department => department.deptid === deptid) ? known : [ticket.department, ...known]
  return (
    <form
      ref={panel}
      className={styles.panel}
      aria-label={t('links.splitPanel')}
      onSubmit={event => {
        event.preventDefault()
        void split()
      }}
      onKeyDown={event => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void split()
        if (event.key !== 'Escape' || document.querySelector('[popover]:popover-open')) return
        event.stopPropagation()
        onLeave()
      }}
    >
      <div className={styles.head}>
        <h2 aria-live="polite">
          {t('links.become', { count: messages.length })}
          {choosing.notes.size > 0 && ` · ${t('links.notesGoAlong', { count: choosing.notes.size })}`}
        </h2>
        {files > 0 && <span className={styles.small}>{t('links.withFiles', { count: files })}</span>}
      </div>
      <div className={styles.fields}>
        <TextField label={t('links.subject')} value={subject} maxLength={255} dir="auto" onChange={setTyped} />
        <SelectField
          label={t('links.department')}
          value={String(deptid)}
          onChange={chosen => setDeptid(Number(chosen))}
          options={options.map(({ deptid, name }) => ({ value: String(deptid), label: name }))}
        />
      </div>
      {state.error !== undefined && <Banner tone="bad">{failureText(state.error)}</Banner>}
      <div className={styles.foot}>
        <span className={styles.small} aria-live="polite">
          {other
            ? t('links.willRead', { name: nameOf(other), messages: messages.length, files })
            : t('links.staysClient', { name: ticket.client.first_name })}
        </span>
        {can('tickets.reply') &&
          (other ? (
            <button type="button" className={styles.link} onClick={() => setOther(undefined)}>
              {t('links.notForAnother', { name: ticket.client.first_name })}
            </button>
          ) : (
            <ClientPicker without={ticket.client.id} onChoose={setOther} />
          ))}
        <Button variant="quiet" onClick={onLeave}>
          {t('links.keepTogether')}
        </Button>
        <Button
          type="submit"
          variant="primary"
          busy={state.isBusy}
          busyLabel={t('links.splitting')}
          disabled={reason !== undefined}
          reason={messages.length > 0 ? reason : undefined}
        >
          {t('links.doSplit')}
        </Button>
      </div>
    </form>
  )
}

function ClientPicker({ without, onChoose }: { without: number; onChoose(client: OtherClient): void }) {
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim(), 120)
  const { data } = useApiQuery(
    '/api/admin/clients/picker',
    { search },
    { enabled: search.length > 0, placeholderData: before => before }
  )
  const found = search ? (data?.clients ?? []).filter(({ id, is_active }) => id !== without && is_active) : []
  return (
    <Picker
      label={t('links.findClient')}
      emptyText={search ? t('links.nobodyFound') : t('links.findClient')}
      trigger={trigger => (
        <button {...trigger} type="button" className={styles.link}>
          {t('links.forAnother')}
        </button>
      )}
      items={found.map(client => ({
        id: client.id,
        label: nameOf(client),
        hint: client.email,
        icon: <Avatar person={{ id: client.id, name: nameOf(client), kind: 'client' }} size={18} />
      }))}
      onSearch={setTyped}
      onChange={id => {
        const client = found.find(each => each.id === id)
        if (client) onChoose(client)
      }}
    />
  )
}

const mostCharacters = 120

/** The first line of a message, as a subject: up to a word. */
function firstLine(text: string): string {
  const [line = ''] = text.split('\n').filter(line => line.trim() !== '')
  const trimmed = line.trim()
  if (trimmed.length <= mostCharacters) return trimmed
  const cut = trimmed.slice(0, mostCharacters)
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), 40))
}
