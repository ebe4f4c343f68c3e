import type { DataOf, PostPath } from '@deskline/client'
import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { useStore } from '../../lib/store.ts'
import { deskZone, questionOf, spanOf } from './report-question.ts'
import type { ReportSearch } from './report-search.ts'

type Told<P extends PostPath & `/api/admin/reports/${string}`> = Exclude<DataOf<P>, { url: string }>

type Volume = Told<'/api/admin/reports/volume'>
type Times = Told<'/api/admin/reports/first-response'>
export type Sla = Told<'/api/admin/reports/sla'>
type Csat = Told<'/api/admin/reports/csat'>
type Agents = Told<'/api/admin/reports/agents'>

/**
 * The reports of the page, and what was counted in the time before. What is shown stays until another filter has its answer. `isOwn`: whoever sees
 * only themselves is told what they have answered and solved, in place of what came in and how long that took.
 */
export function useReports(search: ReportSearch, isOwn: boolean) {
  // Another zone of the desk may have other days.
  useStore(deskZone)
  const question = isOwn ? { ...questionOf(search), group: null } : questionOf(search)
  const [ofAll, ofOwn] = [
    { placeholderData: keepPreviousData, enabled: !isOwn },
    { placeholderData: keepPreviousData, enabled: isOwn }
  ]
  const both = { placeholderData: keepPreviousData }
  const before = { ...question, ...spanOf(search, true) }
  const volume = useApiQuery('/api/admin/reports/volume', question, ofAll)
  const agents = useApiQuery('/api/admin/reports/agents', question, ofOwn)
  const zone = (volume.data as Volume | undefined)?.time_zone ?? (agents.data as Agents | undefined)?.time_zone
  useEffect(() => {
    if (zone !== undefined && zone !== deskZone.get()) deskZone.set(zone)
  }, [zone])
  return {
    main: (isOwn ? agents : volume) as UseQueryResult<unknown>,
    figures: {
      volume: volume.data as Volume | undefined,
      before: useApiQuery('/api/admin/reports/volume', before, ofAll).data as Volume | undefined,
      agents: agents.data as Agents | undefined,
      agentsBefore: useApiQuery('/api/admin/reports/agents', before, ofOwn).data as Agents | undefined,
      firstReply: useApiQuery('/api/admin/reports/first-response', question, both).data as Times | undefined,
      solvedIn: useApiQuery('/api/admin/reports/resolution', question, ofAll).data as Times | undefined,
      sla: useApiQuery('/api/admin/reports/sla', question, both).data as Sla | undefined,
      csat: useApiQuery('/api/admin/reports/csat', question, both).data as Csat | undefined
    }
  }
}

export type Figures = ReturnType<typeof useReports>['figures']
