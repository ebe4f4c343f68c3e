import { ClipboardList, Plus } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { Badge } from '../../../ui/badge.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { toast } from '../../../ui/toast.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import { Link, useNavigate } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import { ShowArchived } from '../show-archived.tsx'
import tables from '../tables.module.css'
import { departmentsText, formsPath, type TicketForm } from './ticket-form.ts'

/** All forms: which fields are asked in which departments. */
export function FormsPage() {
  const forms = useApiQuery(formsPath, undefined)
  const isEmpty = forms.data?.forms.length === 0
  const add = (
    <Link to="/forms/$formId" params={{ formId: 'new' }} className={buttonClass('primary')}>
      <Plus size={16} aria-hidden /> {t('ticket-forms.add')}
    </Link>
  )
  return (
    <AdminPage title={t('admin.forms')} lede={t('ticket-forms.lede')} actions={forms.data && !isEmpty && add}>
      <QueryState query={forms}>
        {({ forms }) =>
          forms.length === 0 ? (
            <StateMessage
              icon={ClipboardList}
              title={t('ticket-forms.none')}
              text={t('ticket-forms.noneText')}
              action={add}
            />
          ) : (
            <Forms forms={forms} />
          )
        }
      </QueryState>
    </AdminPage>
  )
}

type Asked = { what: 'archive' | 'delete'; form: TicketForm }

function Forms({ forms }: { forms: TicketForm[] }) {
  const navigate = useNavigate()
  const [areArchivedShown, setArchivedShown] = useState(false)
  const [asked, setAsked] = useState<Asked>()
  const departments = useApiQuery('/api/admin/departments/list', { limit: 1000 }).data?.departments ?? []
  const archived = forms.filter(({ is_archived }) => is_archived).length

  async function run(path: '/api/admin/ticket-forms/unarchive' | 'default', { id, version }: TicketForm) {
    try {
      const which = { id, expected_version: version }
      if (path === 'default') await post('/api/admin/ticket-forms/update', { ...which, is_default: 1 })
      else await post(path, which)
    } catch (error) {
      toast({ text: adminFailureText(error), tone: 'bad' })
    }
    await reloadQueries(formsPath)
  }

  const menu = (form: TicketForm): MenuItem[] =>
    form.is_archived
      ? [
          {
            label: t('definition.unarchive'),
            onSelect: () => void run('/api/admin/ticket-forms/unarchive', form)
          },
          {
            label: t('ticket-forms.deleteMore'),
            danger: true,
            onSelect: () => setAsked({ what: 'delete', form })
          }
        ]
      : [
          {
            label: t('admin.edit'),
            onSelect: () => void navigate({ to: '/forms/$formId', params: { formId: String(form.id) } })
          },
          ...(form.is_default
            ? []
            : [{ label: t('ticket-forms.makeDefault'), onSelect: () => void run('default', form) }]),
          { label: t('definition.archiveMore'), onSelect: () => setAsked({ what: 'archive', form }) }
        ]

  const columns: Column<TicketForm>[] = [
    {
      key: 'name',
      label: t('admin.name'),
      cell: ({ id, name, is_default, is_archived }) => (
        <span className="row-x wrap">
          <Link to="/forms/$formId" params={{ formId: String(id) }} className="row-link">
            {name}
          </Link>
          {is_default === 1 && <Badge tone="accent">{t('ticket-forms.isDefault')}</Badge>}
          {is_archived === 1 && <Badge>{t('definition.archived')}</Badge>}
        </span>
      )
    },
    {
      key: 'departments',
      label: t('ticket-forms.departments'),
      cell: ({ deptids, is_default }) => (
        <span className="t2">
          {is_default === 1 && deptids.length === 0
            ? t('ticket-forms.allOthers')
            : departmentsText(departments.flatMap(({ deptid, name }) => (deptids.includes(deptid) ? [name] : [])))}
        </span>
      )
    },
    {
      key: 'fields',
      label: t('ticket-forms.asks'),
      cell: ({ items }) => <span className="t2">{t('ticket-forms.fieldCount', { count: items.length })}</span>
    }
  ]
  return (
    <>
      <Table
        label={t('admin.forms')}
        columns={columns}
        rows={forms.filter(({ is_archived }) => areArchivedShown || !is_archived)}
        rowKey={({ id }) => id}
        rowMenu={menu}
        rowMenuLabel={({ name }) => t('admin.actionsFor', { name })}
        isOff={({ is_archived }) => is_archived === 1}
      />
      {archived > 0 && (
        <p className={tables.hint}>
          <ShowArchived count={archived} areShown={areArchivedShown} onChange={setArchivedShown} />
        </p>
      )}
      {asked && (
        <AsyncConfirmDialog
          title={t(asked.what === 'archive' ? 'definition.archiveNamed' : 'ticket-forms.deleteNamed', {
            name: asked.form.name
          })}
          text={t(asked.what === 'archive' ? 'ticket-forms.archiveMeans' : 'ticket-forms.deleteMeans')}
          confirmLabel={t(asked.what === 'archive' ? 'definition.archive' : 'ticket-forms.delete')}
          keepLabel={t('definition.keep')}
          onConfirm={async () => {
            const { id, version } = asked.form
            await post(`/api/admin/ticket-forms/${asked.what}`, { id, expected_version: version })
            setAsked(undefined)
            await reloadQueries(formsPath)
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}
