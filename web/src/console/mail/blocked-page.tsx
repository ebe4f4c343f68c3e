import type { DataOf } from '@deskline/client'
import { Ban } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useMe } from '../../app/me.ts'
import { MorePages } from '../../app/more-pages.tsx'
import { QueryState } from '../../app/query-state.tsx'
import { useApiPages } from '../../app/use-api-pages.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import tables from '../admin/tables.module.css'
import { AsyncConfirmDialog } from '../async-confirm-dialog.tsx'
import { heldMailFailureText, reloadHeldMail } from '../mail-log/held-mail.ts'
import { unblock } from './held-mail-actions.ts'
import { MailTabs } from './mail-tabs.tsx'
import { useMayDecide } from './use-may-decide.ts'

type Blocked = DataOf<'/api/admin/mail/blocked/list'>['senders'][number]

/** The blocked senders. */
export function BlockedPage() {
  const { isAdmin } = useMe()
  const mayDecide = useMayDecide()
  const [isAdding, setIsAdding] = useState(false)
  const senders = useApiPages('/api/admin/mail/blocked/list', { limit: 50 })
  const pages = senders.data?.pages
  return (
    <Page
      title={t('held.blockedSenders')}
      lede={t('held.blockedLede')}
      tabs={<MailTabs />}
      tabsLabel={t('held.title')}
      {...(mayDecide && {
        actions: (
          <Button icon={Ban} onClick={() => setIsAdding(true)}>
            {t('held.blockMore')}
          </Button>
        )
      })}
    >
      <QueryState query={{ ...senders, data: pages }} skeleton={<Skeleton rows={4} />}>
        {pages => {
          const rows = pages.flatMap(({ senders }) => senders)
          if (rows.length === 0)
            return <StateMessage icon={Ban} title={t('held.nobodyBlocked')} text={t('held.nobodyBlockedText')} />
          return (
            <Table
              label={t('held.blockedSenders')}
              columns={columns()}
              rows={rows}
              rowKey={({ id }) => id}
              rowMenuLabel={({ sender }) => t('held.actionsFor', { name: sender })}
              rowMenu={({ id, sender }) =>
                mayDecide && (isAdmin || !sender.startsWith('@'))
                  ? [{ label: t('held.unblock'), onSelect: () => void unblock(id) }]
                  : []
              }
            />
          )
        }}
      </QueryState>
      <MorePages pages={senders} label={t('held.more')} />
      {isAdding && <AddDialog onClose={() => setIsAdding(false)} />}
    </Page>
  )
}

const columns = (): Column<Blocked>[] => [
  {
    key: 'sender',
    label: t('held.sender'),
    cell: ({ sender }) => <bdi className={tables.name}>{sender}</bdi>
  },
  {
    key: 'by',
    label: t('held.blockedBy'),
    cell: ({ blocked_by }) => <span className="t2">{blocked_by ? nameOf(blocked_by) : '–'}</span>
  },
  { key: 'at', label: t('held.blockedAt'), cell: ({ created_at }) => <Time at={created_at} style="date" /> }
]

function AddDialog({ onClose }: { onClose: () => void }) {
  const { isAdmin } = useMe()
  const [sender, setSender] = useState('')

  async function add() {
    await post('/api/admin/mail/blocked/add', { sender: sender.trim() })
    onClose()
    announce(t('held.blocked', { sender: sender.trim(), count: 0 }))
    await reloadHeldMail()
  }

  return (
    <AsyncConfirmDialog
      title={t('held.blockMore')}
      text={t('held.blockMeans')}
      confirmLabel={t('held.block')}
      keepLabel={t('held.keep')}
      failureText={heldMailFailureText}
      onConfirm={add}
      onClose={onClose}
    >
      <TextField
        label={t('held.sender')}
        hint={t(isAdmin ? 'held.senderHint' : 'held.addressHint')}
        value={sender}
        onChange={setSender}
        autoComplete="off"
      />
    </AsyncConfirmDialog>
  )
}
