import { type FormEvent, useId, useState } from 'react'
import { post, queryClient } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { failureText } from '../../app/failures.ts'
import { useMe } from '../../app/me.ts'
import { useDraft } from '../../app/use-draft.ts'
import { draftKey } from '../../lib/drafts.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { priorityLabel } from '../../ui/status-icon.tsx'
import type { TicketClient } from '../overlay.ts'
import { useNavigate } from '../router/react.tsx'
import { ClientCombobox } from './client-combobox.tsx'
import { ClientFormDialog } from './client-form-dialog.tsx'
import styles from './new-ticket.module.css'
import { NewTicketFiles } from './new-ticket-files.tsx'
import { useAssignees } from './use-assignees.ts'

const priorities = ['Low', 'Medium', 'High', 'Critical'] as const

/** A ticket on behalf of a client. What was typed is a draft: it is there again when the dialog is. */
export function NewTicketDialog({ client: given, onClose }: { client: TicketClient | undefined; onClose: () => void }) {
  const me = useMe()
  const formId = useId()
  const navigate = useNavigate()
  const { draft, state, change, clear } = useDraft(draftKey(`staff:${me.id}`, 'new', 'reply'))
  const { fields } = draft
  const client = given ?? (fields.client ? (JSON.parse(fields.client) as TicketClient) : undefined)
  const [isOther, setIsOther] = useState(false)
  const [isAdding, setIsAdding] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [wasTried, setWasTried] = useState(false)
  const [error, setError] = useState<unknown>()
  const departments = useApiQuery('/api/departments/list', {}).data?.departments ?? []
  const department = fields.department ?? String(departments[0]?.deptid ?? '')
  const assignees = useAssignees(Number(department) || undefined)
  const shownClient = isOther && client === given ? undefined : client
  const set = (name: string) => (value: string) => change({ fields: { ...fields, [name]: value } })

  function choose(chosen: TicketClient | undefined) {
    setIsOther(true)
    const picked = chosen && {
      id: chosen.id,
      first_name: chosen.first_name,
      last_name: chosen.last_name,
      email: chosen.email
    }
    change({ fields: { ...fields, client: picked ? JSON.stringify(picked) : '' } })
  }

  async function open(event: FormEvent) {
    event.preventDefault()
    setWasTried(true)
    if (isBusy || !shownClient || !fields.subject?.trim() || !draft.text.trim()) return
    setIsBusy(true)
    setError(undefined)
    try {
      const data = await post(
        '/api/admin/tickets/create',
        {
          client_id: shownClient.id,
          department_id: Number(department),
          subject: fields.subject.trim(),
          message: draft.text,
          priority: (fields.priority as (typeof priorities)[number] | undefined) ?? 'Medium',
          ...(fields.assignee && { assigned_staff_id: Number(fields.assignee) })
        },
        {
          files: { attachments: draft.files }, // The same key at every try: however often it is sent, one ticket is opened.
          idempotencyKey: draft.sendKey
        }
      )
      await clear()
      void queryClient.invalidateQueries({ queryKey: ['/api/admin/tickets/list'] })
      announce(t('clients.ticketOpened', { number: data.ticket.ticket_number }))
      onClose()
      await navigate({ to: '/$view/$ticket', params: { view: 'all', ticket: data.ticket.ticket_number } })
    } catch (error) {
      setError(error)
      setIsBusy(false)
    }
  }

  const missing = (value: string | undefined) => (wasTried && !value?.trim() ? t('clients.required') : undefined)
  const name = shownClient?.first_name
  return (
    <Dialog
      title={t('clients.newTicketTitle')}
      open
      onClose={onClose}
      size={620}
      footer={
        <>
          <span className={styles.draft}>{state === 'saved' && t('clients.draftSaved')}</span>
          <Button variant="quiet" onClick={() => void clear().then(onClose)}>
            {t('clients.discard')}
          </Button>
          <Button variant="primary" type="submit" form={formId} busy={isBusy} busyLabel={t('clients.opening')}>
            {t('clients.openTicket')}
          </Button>
        </>
      }
    >
      {error !== undefined && <Banner tone="bad">{failureText(error)}</Banner>}
      <form id={formId} noValidate onSubmit={event => void open(event)}>
        <ClientCombobox
          client={shownClient}
          onChoose={choose}
          onAdd={() => setIsAdding(true)}
          error={wasTried && !shownClient ? t('clients.chooseClient') : undefined}
        />
        <div className={styles.three}>
          <SelectField
            label={t('clients.department')}
            value={department}
            onChange={set('department')}
            options={departments.map(({ deptid, name }) => ({ value: String(deptid), label: name }))}
          />
          <SelectField
            label={t('clients.priority')}
            value={fields.priority ?? 'Medium'}
            onChange={set('priority')}
            options={priorities.map(value => ({ value, label: priorityLabel(value) }))}
          />
          <SelectField
            label={t('clients.assignee')}
            value={fields.assignee ?? ''}
            onChange={set('assignee')}
            options={assignees}
          />
        </div>
        <TextField
          label={t('clients.subject')}
          dir="auto"
          maxLength={255}
          value={fields.subject ?? ''}
          onChange={set('subject')}
          error={missing(fields.subject)}
        />
        <TextArea
          label={name ? t('clients.messageTo', { name }) : t('clients.message')}
          hint={t('clients.messageHint')}
          rows={6}
          value={draft.text}
          onChange={text => change({ text })}
          error={missing(draft.text)}
        />
        <NewTicketFiles files={draft.files} onChange={files => change({ files })} />
      </form>
      <ClientFormDialog open={isAdding} onClose={() => setIsAdding(false)} onAdded={choose} />
    </Dialog>
  )
}
