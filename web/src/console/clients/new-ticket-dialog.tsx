import { DesklineError } from '@deskline/client'
import { useId, useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { useForm } from '../../app/form.ts'
import { useMe } from '../../app/me.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import { useDraft } from '../../app/use-draft.ts'
import { draftKey } from '../../lib/drafts.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { priorityLabel } from '../../ui/status-icon.tsx'
import { useNavigate } from '../navigation.ts'
import type { TicketClient } from '../overlay.ts'
import { ClientCombobox } from './client-combobox.tsx'
import { ClientFormDialog } from './client-form-dialog.tsx'
import styles from './new-ticket.module.css'
import { answersTo, NewTicketFields, type TypedFields, useAskedFields } from './new-ticket-fields.tsx'
import { NewTicketFiles } from './new-ticket-files.tsx'
import { useAssignees } from './use-assignees.ts'

const priorities = ['Low', 'Medium', 'High', 'Critical'] as const

/** Opens a ticket on behalf of a client. The text is kept as a draft. */
export function NewTicketDialog({ client: given, onClose }: { client: TicketClient | undefined; onClose: () => void }) {
  const me = useMe()
  const formId = useId()
  const navigate = useNavigate()
  const { draft, state, change, clear } = useDraft(draftKey(`staff:${me.id}`, 'new', 'reply'))
  const { fields } = draft
  const client = given ?? (fields.client ? (JSON.parse(fields.client) as TicketClient) : undefined)
  const [isOther, setIsOther] = useState(false)
  const [isAdding, setIsAdding] = useState(false)
  const departments = useApiQuery('/api/departments/list', {}).data?.departments ?? []
  const department = fields.department ?? String(departments[0]?.deptid ?? '')
  const typed = JSON.parse(fields.custom ?? '{}') as TypedFields
  const asked = useAskedFields(Number(department) || undefined, typed)
  const [fieldErrors, setFieldErrors] = useState<Record<string, string>>({})
  const assignees = useAssignees(Number(department) || undefined)
  const shownClient = isOther && client === given ? undefined : client
  const { subject = '', priority = 'Medium', assignee = '' } = fields
  const form = useForm(
    { client: shownClient ? String(shownClient.id) : '', department, priority, assignee, subject, message: draft.text },
    {
      onChange: (name, value) =>
        change(
          name === 'message'
            ? { text: value, caret: [value.length, value.length] }
            : { fields: { ...fields, [name]: value } }
        ),
      check: ({ client, subject, message }) => ({
        client: client === '' && t('clients.chooseClient'),
        subject: subject.trim() === '' && t('clients.required'),
        message: message.trim() === '' && t('clients.required')
      })
    }
  )

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

  async function open() {
    setFieldErrors({})
    const answers = answersTo(asked, typed)
    const { ticket } = await post(
      '/api/admin/tickets/create',
      {
        client_id: shownClient!.id,
        department_id: Number(department),
        subject: subject.trim(),
        message: draft.text,
        priority: priority as (typeof priorities)[number],
        ...(assignee && { assigned_staff_id: Number(assignee) }),
        ...(Object.keys(answers).length > 0 && { fields: answers })
      },
      // With the same key at each attempt, only one ticket is opened.
      { files: { attachments: draft.files }, idempotencyKey: draft.sendKey }
    ).catch(error => {
      const named = error instanceof DesklineError ? error.errors.filter(name => name.startsWith('fields.')) : []
      setFieldErrors(Object.fromEntries(named.map(name => [name.slice('fields.'.length), t('ui.fieldRefused')])))
      throw error
    })
    await clear()
    void reloadQueries('/api/admin/tickets/list')
    announce(t('clients.ticketOpened', { number: ticket.ticket_number }))
    onClose()
    await navigate({ to: '/$view/$ticket', params: { view: 'all', ticket: ticket.ticket_number } })
  }

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
          <Button variant="primary" type="submit" form={formId} busy={form.isBusy} busyLabel={t('clients.opening')}>
            {t('clients.openTicket')}
          </Button>
        </>
      }
    >
      {form.failure && <Banner tone="bad">{form.failure}</Banner>}
      <form id={formId} noValidate onSubmit={event => void form.submit(open, event)}>
        <ClientCombobox
          client={shownClient}
          onChoose={choose}
          onAdd={() => setIsAdding(true)}
          error={form.errors.client}
        />
        <div className={styles.three}>
          <SelectField
            label={t('clients.department')}
            {...form.field('department')}
            options={departments.map(({ deptid, name }) => ({ value: String(deptid), label: name }))}
          />
          <SelectField
            label={t('clients.priority')}
            {...form.field('priority')}
            options={priorities.map(value => ({ value, label: priorityLabel(value) }))}
          />
          <SelectField label={t('clients.assignee')} options={assignees} {...form.field('assignee')} />
        </div>
        <TextField label={t('clients.subject')} dir="auto" maxLength={255} {...form.field('subject')} />
        <NewTicketFields
          fields={asked}
          typed={typed}
          errors={fieldErrors}
          onChange={typed => change({ fields: { ...fields, custom: JSON.stringify(typed) } })}
        />
        <TextArea
          label={name ? t('clients.messageTo', { name }) : t('clients.message')}
          hint={t('clients.messageHint')}
          rows={6}
          {...form.field('message')}
        />
        <NewTicketFiles files={draft.files} onChange={files => change({ files })} />
      </form>
      <ClientFormDialog open={isAdding} onClose={() => setIsAdding(false)} onAdded={choose} />
    </Dialog>
  )
}
