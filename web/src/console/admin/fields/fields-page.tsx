import { ListChecks, Plus } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { failureOf } from '../../../app/failures.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { useEachApiQuery } from '../../../app/use-each-api-query.ts'
import { t } from '../../../lib/strings.ts'
import { Button } from '../../../ui/button.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { RowMenu } from '../../../ui/table.tsx'
import { toast } from '../../../ui/toast.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import { AdminPage } from '../admin-page.tsx'
import { OrderedRows } from '../ordered-rows.tsx'
import { ShowArchived } from '../show-archived.tsx'
import tables from '../tables.module.css'
import { FieldDialog } from './field-dialog.tsx'
import { FieldRow, FieldsHead } from './field-row.tsx'
import styles from './fields.module.css'
import { type Field, fieldsPath, maxFields, maxFilterable } from './fields.ts'
import { UsesDialog } from './uses-dialog.tsx'

/** How often it is looked whether an index is ready, in milliseconds. */
const readyPolling = 2000

type Asked = { what: 'edit' | 'archive' | 'delete' | 'uses'; field: Field } | { what: 'add' }

/** The custom fields of tickets, in the order in which tickets show them. */
export function FieldsPage() {
  const fields = useApiQuery(fieldsPath, undefined, {
    refetchInterval: ({ state }) => (state.data?.fields.some(isPreparing) ? readyPolling : false)
  })
  const [asked, setAsked] = useState<Asked>()
  const isEmpty = fields.data?.fields.length === 0
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setAsked({ what: 'add' })}>
      {t('fields-admin.add')}
    </Button>
  )
  return (
    <AdminPage title={t('admin.fields')} lede={t('fields-admin.lede')} actions={fields.data && !isEmpty && add}>
      <QueryState query={fields}>
        {({ fields }) => (
          <>
            {fields.length === 0 ? (
              <StateMessage
                icon={ListChecks}
                title={t('fields-admin.none')}
                text={t('fields-admin.noneText')}
                action={add}
              />
            ) : (
              <Fields fields={fields} onAsk={setAsked} />
            )}
            <Dialogs fields={fields} asked={asked} onClose={() => setAsked(undefined)} onAsk={setAsked} />
          </>
        )}
      </QueryState>
    </AdminPage>
  )
}

function isPreparing({ is_filterable, is_filter_ready, is_archived }: Field): boolean {
  return is_filterable === 1 && is_filter_ready === 0 && is_archived === 0
}

function Fields({ fields, onAsk }: { fields: Field[]; onAsk: (asked: Asked) => void }) {
  const [areArchivedShown, setArchivedShown] = useState(false)
  const answers = useEachApiQuery(
    '/api/admin/fields/uses',
    fields.map(({ id }) => ({ id }))
  )
  const uses = new Map(fields.map(({ id }, at) => [id, answers[at]?.uses]))
  const inUse = fields.filter(({ is_archived }) => !is_archived)
  const archived = fields.filter(({ is_archived }) => is_archived)
  const filterable = inUse.filter(({ is_filterable }) => is_filterable).length

  async function reorder(ids: number[]) {
    for (const [at, id] of ids.entries()) {
      const field = fields.find(field => field.id === id)
      if (field && field.position !== at + 1) await post('/api/admin/fields/update', { id, position: at + 1 })
    }
    await reloadQueries(fieldsPath)
  }

  async function unarchive({ id, version }: Field) {
    try {
      await post('/api/admin/fields/unarchive', { id, expected_version: version })
    } catch (error) {
      toast({ text: adminFailureText(error), tone: 'bad' })
    }
    await reloadQueries(fieldsPath)
  }

  const menu = (field: Field): MenuItem[] => [
    { label: t('admin.edit'), onSelect: () => onAsk({ what: 'edit', field }) },
    { label: t('definition.archiveMore'), onSelect: () => onAsk({ what: 'archive', field }) }
  ]
  const archivedMenu = (field: Field): MenuItem[] => [
    { label: t('definition.unarchive'), onSelect: () => void unarchive(field) },
    { label: t('fields-admin.deleteMore'), danger: true, onSelect: () => onAsk({ what: 'delete', field }) }
  ]
  const row = (field: Field) => (
    <FieldRow field={field} uses={uses.get(field.id)} onUses={() => onAsk({ what: 'uses', field })} />
  )
  return (
    <>
      <OrderedRows
        label={t('admin.fields')}
        head={<FieldsHead />}
        rows={inUse.map(field => ({ ...field, name: field.label }))}
        menu={menu}
        onReorder={reorder}
      >
        {row}
      </OrderedRows>
      <p className={tables.hint}>
        {t('fields-admin.counts', {
          count: inUse.length,
          most: maxFields,
          filterable,
          mostFilterable: maxFilterable
        })}{' '}
        <ShowArchived count={archived.length} areShown={areArchivedShown} onChange={setArchivedShown} />
      </p>
      {areArchivedShown && (
        <ul className={`card ${styles.archived}`} aria-label={t('definition.archived')}>
          {archived.map(field => (
            <li key={field.id}>
              {row(field)}
              <RowMenu label={t('admin.actionsFor', { name: field.label })} items={archivedMenu(field)} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

interface DialogsProps {
  fields: Field[]
  asked: Asked | undefined
  onAsk: (asked: Asked) => void
  onClose: () => void
}

function Dialogs({ fields, asked, onAsk, onClose }: DialogsProps) {
  if (!asked) return null
  if (asked.what === 'add' || asked.what === 'edit') {
    const filterable = fields.filter(({ is_filterable, is_archived }) => is_filterable && !is_archived).length
    const field = asked.what === 'edit' ? asked.field : undefined
    return <FieldDialog field={field} filterable={filterable} onClose={onClose} />
  }
  const { field, what } = asked
  if (what === 'uses') return <Uses field={field} onClose={onClose} />
  if (what === 'archive') {
    return (
      <AsyncConfirmDialog
        title={t('definition.archiveNamed', { name: field.label })}
        text={t('fields-admin.archiveMeans')}
        confirmLabel={t('definition.archive')}
        keepLabel={t('definition.keep')}
        onConfirm={async () => {
          await post('/api/admin/fields/archive', { id: field.id, expected_version: field.version })
          onClose()
          await reloadQueries(fieldsPath)
        }}
        onClose={onClose}
      />
    )
  }
  return <DeleteDialog field={field} onUsed={() => onAsk({ what: 'uses', field })} onClose={onClose} />
}

function Uses({ field, onClose }: { field: Field; onClose: () => void }) {
  const { data } = useApiQuery('/api/admin/fields/uses', { id: field.id })
  return data ? (
    <UsesDialog name={field.label} uses={data.uses} isRefusal={field.is_archived === 1} onClose={onClose} />
  ) : null
}

/** Asks, unless something still uses the field: then that is listed instead. */
function DeleteDialog({ field, onUsed, onClose }: { field: Field; onUsed: () => void; onClose: () => void }) {
  const { data } = useApiQuery('/api/admin/fields/uses', { id: field.id })
  if (!data) return null
  if (data.uses.length > 0) return <Uses field={field} onClose={onClose} />
  return (
    <AsyncConfirmDialog
      title={t('fields-admin.deleteNamed', { name: field.label })}
      text={t('fields-admin.deleteMeans', { key: field.key })}
      confirmLabel={t('fields-admin.delete')}
      keepLabel={t('definition.keep')}
      onConfirm={async () => {
        try {
          await post('/api/admin/fields/delete', { id: field.id, expected_version: field.version })
        } catch (error) {
          if (failureOf(error)?.reason !== 'in_use') throw error
          await reloadQueries('/api/admin/fields/uses')
          return onUsed()
        }
        onClose()
        await reloadQueries(fieldsPath)
      }}
      onClose={onClose}
    />
  )
}
