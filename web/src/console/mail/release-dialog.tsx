import { useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { useDebounced } from '../../app/use-debounced.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Picker } from '../../ui/picker.tsx'
import { toast } from '../../ui/toast.tsx'
import { AsyncConfirmDialog } from '../async-confirm-dialog.tsx'
import { type HeldMailDetails, heldMailFailureText, reloadHeldMail, senderOf } from '../mail-log/held-mail.ts'
import { useNavigate } from '../navigation.ts'

interface ReleaseProps {
  mail: HeldMailDetails
  how: 'ticket' | 'into'
  onClose: () => void
}

/** Asks for the ticket, or for the client of a new one if the e-mail names no sender, and releases the e-mail. */
export function ReleaseDialog({ mail, how, onClose }: ReleaseProps) {
  const navigate = useNavigate()
  const [ticket, setTicket] = useState(mail.ticket?.ticket_number ?? mail.named_ticket?.ticket_number)
  const [client, setClient] = useState<number>()
  const isInto = how === 'into'
  const needsClient = !isInto && mail.from === null

  async function release() {
    if (isInto && !ticket) throw new Error(t('held.chooseTicket'))
    const choice = isInto ? { ticket_id: ticket! } : client === undefined ? {} : { client_id: client }
    const { ticket_number } = await post('/api/admin/mail/held/release', { id: mail.id, ...choice }).catch(
      async error => {
        await reloadHeldMail()
        throw new Error(heldMailFailureText(error), { cause: error })
      }
    )
    onClose()
    toast({
      text: t('held.released', { number: ticket_number }),
      action: {
        label: t('held.showTicket'),
        onClick: () => void navigate({ to: '/$view/$ticket', params: { view: 'all', ticket: ticket_number } })
      }
    })
    void navigate({ to: '/mail/held' })
    await reloadHeldMail()
  }

  return (
    <AsyncConfirmDialog
      isHarmless
      title={t(isInto ? 'held.releaseInto' : 'held.releaseAsTicket')}
      text={t(isInto ? 'held.releaseIntoMeans' : 'held.releaseAsTicketMeans', { sender: senderOf(mail.from) })}
      confirmLabel={t('held.release')}
      keepLabel={t('held.keep')}
      failureText={error => (error instanceof Error ? error.message : heldMailFailureText(error))}
      onConfirm={release}
      onClose={onClose}
    >
      {isInto && <TicketPicker ticket={ticket} onChange={setTicket} />}
      {needsClient && <ClientPicker client={client} onChange={setClient} />}
    </AsyncConfirmDialog>
  )
}

/** Chooses any ticket by its words or number. */
function TicketPicker({ ticket, onChange }: { ticket: string | undefined; onChange: (number: string) => void }) {
  const [typed, setTyped] = useState('')
  const query = useDebounced(typed.trim(), 150)
  const { data } = useApiQuery(
    '/api/admin/search',
    { query, limit: 20 },
    { enabled: query.length >= 2, placeholderData: before => before, retry: false }
  )
  const found = new Map(
    (query.length >= 2 ? (data?.results ?? []) : []).flatMap(({ ticket, client }) =>
      ticket ? [[ticket.ticket_number, `${ticket.subject} · ${nameOf(client)}`]] : []
    )
  )
  const number = /^(tic-)?(\d{6,18})$/i.exec(query)?.[2]
  if (number) found.set(`TIC-${number}`, found.get(`TIC-${number}`) ?? '')
  return (
    <Picker
      label={t('held.findTicket')}
      items={[...found].map(([id, label]) => ({ id, label: label ? `${id} ${label}` : id }))}
      selected={ticket}
      emptyText={t('held.noTicketFound')}
      onSearch={setTyped}
      onChange={onChange}
      trigger={trigger => (
        <button {...trigger} type="button" className={buttonClass('plain')}>
          {ticket ?? t('held.chooseTicket')}
        </button>
      )}
    />
  )
}

function ClientPicker({ client, onChange }: { client: number | undefined; onChange: (id: number) => void }) {
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim(), 150)
  const { data } = useApiQuery(
    '/api/admin/clients/list',
    { search, limit: 20 },
    { enabled: search.length >= 2, placeholderData: before => before, retry: false }
  )
  const clients = search.length >= 2 ? (data?.clients ?? []) : []
  const chosen = clients.find(({ id }) => id === client)
  const [name, setName] = useState<string>()
  return (
    <Picker
      label={t('held.findClient')}
      items={clients.map(each => ({ id: each.id, label: nameOf(each), hint: each.email }))}
      selected={client}
      emptyText={t('held.noClientFound')}
      onSearch={setTyped}
      onChange={id => {
        const found = clients.find(each => each.id === id)
        setName(found && nameOf(found))
        onChange(id)
      }}
      trigger={trigger => (
        <button {...trigger} type="button" className={buttonClass('plain')}>
          {(chosen && nameOf(chosen)) ?? name ?? t('held.chooseClient')}
        </button>
      )}
    />
  )
}
