import type { DataOf } from '@deskline/client'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useMe } from '../../app/me.ts'
import { MorePages } from '../../app/more-pages.tsx'
import { QueryState } from '../../app/query-state.tsx'
import { reloadQueries } from '../../app/reload-queries.ts'
import { useApiPages } from '../../app/use-api-pages.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { adminFailureText } from '../admin-failure-text.ts'
import { AsyncConfirmDialog } from '../async-confirm-dialog.tsx'
import { AdminPage } from './admin-page.tsx'
import tables from './tables.module.css'

type Trashed = DataOf<'/api/admin/tickets/list'>['tickets'][number]

const refreshTickets = () =>
  reloadQueries('/api/admin/tickets/list', '/api/admin/tickets/counts', '/api/admin/tickets/detail')

/** Deleted tickets, to restore or to delete for good. */
export function TrashPage() {
  const me = useMe()
  const tickets = useApiPages('/api/admin/tickets/list', { trashed: 1, sort: 'updated', limit: 50 })
  const [purging, setPurging] = useState<Trashed>()
  const pages = tickets.data?.pages

  return (
    <AdminPage title={t('admin.trash')} lede={t('admin.trashLede')}>
      <QueryState query={{ ...tickets, data: pages }} skeleton={<Skeleton rows={5} />}>
        {pages => {
          const rows = pages.flatMap(({ tickets }) => tickets)
          if (rows.length === 0)
            return <StateMessage icon={Trash2} title={t('admin.trashEmpty')} text={t('admin.trashEmptyText')} />
          return (
            <Table
              label={t('admin.trash')}
              columns={columns()}
              rows={rows}
              rowKey={({ id }) => id}
              density="tall"
              rowMenuLabel={({ ticket_number }) => t('admin.actionsFor', { name: ticket_number })}
              rowMenu={ticket => actionsOn(ticket, me.isAdmin ? setPurging : undefined)}
            />
          )
        }}
      </QueryState>
      <MorePages pages={tickets} label={t('admin.more')} />
      {purging && <PurgeDialog ticket={purging} onClose={() => setPurging(undefined)} />}
    </AdminPage>
  )
}

const columns = (): Column<Trashed>[] => [
  {
    key: 'ticket',
    label: t('admin.ticket'),
    cell: ({ subject, ticket_number, client }) => (
      <>
        <bdi className={tables.name}>{subject}</bdi>
        <span className={tables.below}>
          {ticket_number} · <bdi>{nameOf(client)}</bdi>
        </span>
      </>
    )
  },
  {
    key: 'department',
    label: t('admin.department'),
    cell: ({ department }) => <span className="t2">{department.name}</span>
  },
  {
    key: 'deleted',
    label: t('admin.deletedAt'),
    cell: ({ trashed_at, updated_at }) => <Time at={trashed_at ?? updated_at} style="short" />
  }
]

function actionsOn(ticket: Trashed, purge: ((ticket: Trashed) => void) | undefined): MenuItem[] {
  const items: MenuItem[] = [{ label: t('admin.restore'), onSelect: () => void restore(ticket) }]
  if (!purge) return items
  return [...items, { kind: 'separator' }, { label: t('admin.purgeMore'), danger: true, onSelect: () => purge(ticket) }]
}

async function restore({ id, version, ticket_number }: Trashed): Promise<void> {
  try {
    const data = await post('/api/admin/tickets/restore', { id, expected_version: version })
    toast({
      text: t('admin.restored', { number: ticket_number }),
      undo: () => void deleteAgain(data.ticket.id, data.ticket.version)
    })
  } catch (error) {
    toast({ text: adminFailureText(error), tone: 'bad' })
  }
  await refreshTickets()
}

async function deleteAgain(id: number, version: number): Promise<void> {
  try {
    await post('/api/admin/tickets/delete', { id, expected_version: version })
    announce(t('admin.undone'))
  } catch (error) {
    toast({ text: adminFailureText(error), tone: 'bad' })
  }
  await refreshTickets()
}

function PurgeDialog({ ticket, onClose }: { ticket: Trashed; onClose: () => void }) {
  const { id, ticket_number, version, message_count, attachment_count } = ticket

  async function purge() {
    await post('/api/admin/tickets/purge', { id, ticket_number, expected_version: version })
    void refreshTickets()
    onClose()
    announce(t('admin.purged', { number: ticket_number }))
  }

  return (
    <AsyncConfirmDialog
      title={t('admin.purgeNamed', { number: ticket_number })}
      text={t('admin.purgeMeans', { messages: message_count, files: attachment_count })}
      typed={ticket_number}
      confirmLabel={t('admin.purge')}
      keepLabel={t('admin.keepInTrash')}
      onConfirm={purge}
      onClose={onClose}
    />
  )
}
