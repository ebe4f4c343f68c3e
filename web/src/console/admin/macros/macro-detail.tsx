import { MessageSquareText } from 'lucide-react'
import { useApiQuery, whileEdited } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { t } from '../../../lib/strings.ts'
import { useParams } from '../../../router/react.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { useNavigate } from '../../navigation.ts'
import { MacroEditor } from './macro-editor.tsx'

/** One macro, or a new one. */
export function MacroDetail() {
  const navigate = useNavigate()
  const { macroId } = useParams<{ macroId: string }>()
  const list = useApiQuery('/api/admin/macros/list', { limit: 1000 }, whileEdited)
  const leave = () => void navigate({ to: '/macros' })
  if (macroId === 'new') {
    return (
      <MacroEditor
        key="new"
        onSaved={id => void navigate({ to: '/macros/$macroId', params: { macroId: String(id) } })}
        onLeft={leave}
      />
    )
  }
  return (
    <QueryState query={list} heading="h1">
      {({ macros }) => {
        const macro = macros.find(({ id }) => String(id) === macroId)
        if (macro)
          return (
            <MacroEditor key={`${macro.id}-${macro.version}`} macro={macro} onSaved={() => undefined} onLeft={leave} />
          )
        return (
          <StateMessage icon={MessageSquareText} heading="h1" title={t('macros.gone')} text={t('macros.chooseText')} />
        )
      }}
    </QueryState>
  )
}
